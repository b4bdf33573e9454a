import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { planOperation, type Wish } from "../../../infra/newOperation/plan.ts";
import { writeTogether } from "../../../infra/newOperation/writeTogether.ts";
import { temporaryDirectories } from "../local/temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const root = resolve(import.meta.dirname, "..", "..", "..");

describe("bad parameters", () => {
  test.each<[Wish, string]>([
    [{ name: "GetCrbSummary" }, "camelCase"],
    [{ name: "get-summary" }, "camelCase"],
    [{ name: "../getSummary" }, "camelCase"],
    [{ name: "summary" }, "camelCase"],
    [{ name: "getCrb" }, "There is an operation getCrb"],
    [{ name: "searchCrbCustomers" }, "There is an operation searchCrbCustomers"],
    [{ name: "getPos", caller: "both", path: "/crbs/{crb_id}/pos", scope: "trace" }, "point-of-sale:read"],
    [{ name: "getCrbPos", caller: "both" }, "leave Crb out"],
    [{ name: "getPos", caller: "anyone" }, "--caller must be one of serviceProvider, crb, both"],
    [{ name: "getPos", method: "PATCH" }, "--method must be one of GET, POST, PUT, DELETE"],
    [{ name: "getPos", path: "pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/Pos" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/" }, "--path must begin with"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos/{pos_id}" }, "added by hand"],
    [{ name: "getPos", path: "/crbs/{crb_id}/pos", caller: "serviceProvider" }, "--caller crb"],
    [{ name: "getPos", path: "/service-providers/{sp_id}/pos", caller: "both" }, "{crb_id}"],
    [{ name: "getPos", path: "/crbs/{crb_id}/customers" }, "listCustomers"],
    [{ name: "getPos", path: "/crbs/{crb_id}/customers/pos" }, "{customer_id} of getCustomer"],
    [{ name: "getPos", path: "/service-providers/{sp_id}/crbs/pos" }, "{crb_id} of getCrbInfo"],
    [{ name: "getPos", scope: "pos:read" }, "service-provider:read, point-of-sale:read"],
    [{ name: "getPos", scope: "crb:read" }, "service-provider:read, point-of-sale:read"],
    [{ name: "getPos", method: "PUT", scope: "service-provider:read" }, "service-provider:write"],
    [{ name: "addPos", method: "POST", caller: "crb" }, "--caller serviceProvider"],
    [{ name: "getPos", group: "../crbs" }, "camelCase"],
    [{ name: "getPos", group: "replication" }, "functions/replication holds no operations"],
    [{ name: "searchCustomers" }, "There is an operation searchCustomers"],
  ])("%j is refused with one line", (wish, told) => {
    expect(() => planOperation(wish, root)).toThrow(expect.objectContaining({ name: "StageError" }));
    expect(() => planOperation(wish, root)).toThrow(told);
    expect(() => planOperation(wish, root)).toThrow(/^[^\n]+\.$/);
  });

  test("a name is refused whose files exist", () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, "functions", "crbs"), { recursive: true });
    writeFileSync(join(project, "functions", "crbs", "getCrbPos.ts"), "");
    expect(() => planOperation({ name: "getCrbPos" }, project)).toThrow("functions/crbs/getCrbPos.ts exists");
  });
});

test("files that cannot all be written are left as they were", () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "old"), "old");
  const texts = new Map([
    ["old", "new"],
    ["made/made/file", "new"],
    ["old/file", "new"],
  ]);
  expect(() => writeTogether(folder, texts)).toThrow();
  expect(readFileSync(join(folder, "old"), "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["old"]);
});

/** A copy of the project, without what git leaves out, on the same packages. */
function copyProject(): string {
  const copy = temporaryDirectory();
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n");
  const left = new Set([".git", ...ignored.map((line) => line.replace(/\/$/, ""))]);
  for (const name of readdirSync(root)) {
    if (!left.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  return copy;
}

describe("in a copy of the project", () => {
  let copy: string;
  beforeAll(() => {
    copy = copyProject();
  });

  /** Runs a program of the project's packages, or of the project, in the copy. */
  async function run(program: string, ...parameters: string[]) {
    const bin = join("node_modules", ".bin");
    const [file, own] = program.endsWith(".ts") ? [process.execPath, [program]] : [join(bin, program), []];
    // Not the variables by which this very run knows itself as one.
    const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name));
    const env = { ...Object.fromEntries(inherited), PATH: `${join(copy, bin)}:${process.env.PATH}` };
    const options = { cwd: copy, env, maxBuffer: 2 ** 26 };
    return promisify(execFile)(file, [...own, ...parameters], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }
  const newOperation = (...parameters: string[]) => run("infra/newOperation/newOperation.ts", ...parameters);
  async function expectSuccess(program: string, ...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(program, ...parameters);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  }

  const digest = () => {
    const hash = createHash("sha256");
    const files = globSync("{docs,events,functions,infra,shared,test}/**", { cwd: copy, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      hash.update(`${file.parentPath}/${file.name}\n`).update(readFileSync(join(file.parentPath, file.name)));
    }
    return hash.digest("hex");
  };
  /** Expects a refusal that leaves every file as it was. */
  async function expectNothing(...parameters: string[]): Promise<string> {
    const before = digest();
    const { code, stdout, stderr } = await newOperation(...parameters);
    expect([code, stdout]).toEqual([1, ""]);
    expect(digest()).toBe(before);
    return stderr;
  }

  test("bad parameters are refused with one line, and nothing is written", async () => {
    expect(await expectNothing("getCrb")).toMatch(/^There is an operation getCrb: [^\n]+\n$/);
    expect(await expectNothing()).toMatch(/^Missing required argument 'NAME'\. [^\n]+\n$/);
    expect(await expectNothing("getPos", "--color", "red")).toMatch(/^[^\n]*--color[^\n]+\n$/);
  });

  test.each([
    ["shared/api/catalogue.ts", "catalogue: readonly Operation[]", "catalogue: Operation[]"],
    ["test/api/walk.ts", "async function readAsCrb(", "async function read("],
  ])("without its place in %s nothing is written", async (name, anchor, other) => {
    const file = join(copy, name);
    const text = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, text));
    writeFileSync(file, text.replace(anchor, other));
    expect(await expectNothing("getPos", "--caller", "both")).toMatch(
      new RegExp(`^${name} must hold one block [^\n]+\n$`),
    );
  });

  test("when a generator fails nothing is written", async () => {
    const folder = join(copy, "events", "folder");
    mkdirSync(folder);
    onTestFinished(() => rmdirSync(folder));
    expect(await expectNothing("getPos")).toContain("infra/local/events.ts failed");
  });

  describe("new operations", () => {
    const written: string[] = [];
    const names: string[] = [];

    // Each caller, each record, a read and a change, an old group and a new one.
    test.each([
      ["getSummary", "--caller", "both"],
      ["getServiceProviderOverview", "--path", "/service-providers/{sp_id}/overview"],
      ["refreshCrbFigures", "--method", "POST", "--group", "reports"],
    ])("%s is written", async (...parameters) => {
      const out = await expectSuccess("infra/newOperation/newOperation.ts", ...parameters);
      names.push(...[...out.matchAll(/^ {2}(\w+): /gm)].map(([, name = ""]) => name));
      written.push(...[...out.matchAll(/^ {2}(\S+\.\w+)$/gm)].map(([, file = ""]) => file));
    });

    test("have the names of their callers", () => {
      expect(names).toEqual(["getCrbSummary", "getSummary", "getServiceProviderOverview", "refreshCrbFigures"]);
    });

    test("pass types, linter, and the search for dead code", async () => {
      await expectSuccess("tsc");
      await expectSuccess("biome", "check", "--error-on-warnings", ...written.filter((file) => !/openapi/i.test(file)));
      await expectSuccess("knip");
    }, 300_000);

    test("say TODO in new files alone", () => {
      const marked = written.filter((file) => /TODO/.test(readFileSync(join(copy, file), "utf8")));
      expect(marked.length).toBeGreaterThan(0);
      for (const file of marked) expect(globSync(file, { cwd: root }), file).toEqual([]);
    });

    test("pass what tests the catalogue as a whole, and their own tests", async () => {
      const own = written.filter((file) => file.endsWith(".test.ts"));
      const whole = ["rules", "api/catalogue", "shared/api/openapi", "infra/description", "infra/local/routes"];
      await expectSuccess("vitest", "run", ...own, ...whole.map((name) => `test/${name}`));
    }, 300_000);

    // Not the policies on AWS: to synthesize takes as long as all of this, and types know every capability.
    test("pass what tests every operation", async () => {
      const files = ["functions/refusedRequests", "infra/local/mockStage", "infra/local/stage", "api/walk"];
      const chosen = [...names, "typed client"].join("|");
      const out = await expectSuccess("vitest", "run", ...files.map((name) => `test/${name}.test.ts`), "-t", chosen);
      // Several of each operation.
      const [, passed] = /^(\d+) passed, 0 failed/m.exec(out) ?? [];
      expect(Number(passed)).toBeGreaterThan(10 * names.length);
    }, 600_000);
  });
});
