import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished } from "vitest";
import { temporaryDirectories } from "../../../local/temporaryDirectories.ts";

export const root = resolve(import.meta.dirname, "..", "..", "..", "..", "..");

const newProgram = "infra/tools/generators/new.ts";

/** A copy of the project, made before the tests, in which a command of `npm run new` writes source files. */
export function useProjectCopy(command: "operation" | "pos"): ProjectCopy {
  const temporaryDirectory = temporaryDirectories();
  const project = new ProjectCopy(command);
  beforeAll(() => project.fill(temporaryDirectory()));
  return project;
}

class ProjectCopy {
  readonly #command: string;
  folder = "";

  constructor(command: string) {
    this.#command = command;
  }

  /** Copies the project without files that git ignores, and with the same packages. */
  fill(folder: string): void {
    this.folder = folder;
    const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n");
    const left = new Set([".git", ...ignored.map((line) => line.replace(/\/$/, ""))]);
    for (const name of readdirSync(root)) {
      if (!left.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Changes a file until the test ends. */
  changeForNow(file: string, part: string, other: string): void {
    const text = this.read(file);
    expect(text).toContain(part);
    onTestFinished(() => writeFileSync(join(this.folder, file), text));
    writeFileSync(join(this.folder, file), text.replace(part, other));
  }

  /** Runs a program of the project's packages, or of the project. */
  async run(program: string, ...parameters: string[]) {
    const bin = join("node_modules", ".bin");
    const [file, own] = program.endsWith(".ts") ? [process.execPath, [program]] : [join(bin, program), []];
    // Without the variables that mark this test run.
    const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name));
    const env = { ...Object.fromEntries(inherited), PATH: `${join(this.folder, bin)}:${process.env.PATH}` };
    const options = { cwd: this.folder, env, maxBuffer: 2 ** 26 };
    return promisify(execFile)(file, [...own, ...parameters], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  async expectSuccess(program: string, ...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, ...parameters);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  }

  /**
   * Runs the command.
   * @returns its output, and the files that it reports as written
   */
  async write(...parameters: string[]): Promise<{ out: string; written: string[] }> {
    const out = await this.expectSuccess(newProgram, this.#command, ...parameters);
    return { out, written: [...out.matchAll(/^ {2}(\S+\.\w+)$/gm)].map(([, file = ""]) => file) };
  }

  /**
   * Expects that the command fails and leaves every file unchanged.
   * @returns its output
   */
  async expectNothing(...parameters: string[]): Promise<string> {
    const before = this.digest();
    const { code, stdout, stderr } = await this.run(newProgram, this.#command, ...parameters);
    expect([code, stdout]).toEqual([1, ""]);
    expect(this.digest()).toBe(before);
    return stderr;
  }

  /** Expects TODO notes only in new files, including all that are completed by hand. */
  expectMarks(written: readonly string[]): void {
    const marked = written.filter((file) => /TODO/.test(this.read(file)));
    expect(marked.length).toBeGreaterThan(0);
    for (const file of marked) expect(globSync(file, { cwd: root }), file).toEqual([]);
  }

  digest(): string {
    const hash = createHash("sha256");
    const files = globSync("{docs,events,functions,infra,shared,test}/**", { cwd: this.folder, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      hash.update(`${file.parentPath}/${file.name}\n`).update(readFileSync(join(file.parentPath, file.name)));
    }
    return hash.digest("hex");
  }
}
