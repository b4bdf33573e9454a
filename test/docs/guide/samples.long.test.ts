import { execFile, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { parseEnv, promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { callerFile } from "../../../infra/local/environment.ts";
import { sources } from "../../../shared/web/reference/sourceFiles.ts";
import { useStage } from "../../api/useStage.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { useForwarder } from "../../useForwarder.ts";
import { type Language, patternOf, type Sample, samplesOf, withoutSpace } from "./samples.ts";

const { stage, data } = useStage();
let requests = 0;
/** A proxy in front of the stage that responds to every second request as if it were too busy. */
const busy = useForwarder(() => stage().description.base_url, {
  instead: (_, response) => ++requests % 2 === 0 && !!response.writeHead(503, { "Retry-After": "1" }).end("{}"),
});
const folder = mkdtempSync(join(inject("temporaryDirectory"), "guide-"));
// The package that a sample asks its reader to install.
symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
const run = promisify(execFile);

const guides = sources.guides.map((path) => {
  const own = samplesOf(readFileSync(path, "utf8"));
  return { guide: basename(path), samplesIn: (language: Language) => own.filter((one) => one.language === language) };
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.log("There is no python3 here: the Python samples of the guides are skipped.");

/** The variables that the first guide asks its reader to set. The samples about retries call a service that needs them. */
function environment(guide: string): NodeJS.ProcessEnv {
  const { BASE_URL, ...variables } = parseEnv(readFileSync(callerFile(data()), "utf8"));
  return { ...variables, PATH: process.env.PATH, BASE_URL: guide === "errors.md" ? busy.url() : BASE_URL };
}

/**
 * The output of each sample. The shell samples of a guide run in one shell, since later ones use variables of earlier ones.
 */
async function printedBy(language: Language, samples: readonly Sample[], guide: string): Promise<string[]> {
  const installed = language === "python" ? { PYTHONPATH: await pythonPath(samples) } : {};
  const options = { cwd: folder, env: { ...environment(guide), ...installed }, timeout: 120_000 };
  if (language === "sh") {
    const border = "---- next sample ----";
    const script = ["set -euo pipefail", ...samples.map(({ code }) => `${code}\necho '${border}'`)].join("\n");
    return (await run("bash", ["-c", script], options)).stdout.split(border).slice(0, -1);
  }
  const [program, extension] = language === "ts" ? [process.execPath, "mts"] : ["python3", "py"];
  const printed: string[] = [];
  for (const { code } of samples) {
    const file = `${basename(guide, ".md")}-${printed.length}.${extension}`;
    writeFileSync(join(folder, file), code);
    printed.push((await run(program, [file], options)).stdout);
  }
  return printed;
}

/** The modules outside the standard library that Python samples may import. */
const imported = {
  requests_oauthlib: () => pythonPackages(),
  pandas: () => pythonPackages("docs/requirements.txt", "the guide's notebook, which needs pandas and matplotlib"),
};

const packagesOf = ({ code }: Sample) =>
  Promise.all(Object.entries(imported).flatMap(([name, install]) => (code.includes(name) ? [install()] : [])));

/** The place of the modules that samples import. */
async function pythonPath(samples: readonly Sample[]): Promise<string> {
  const found = (await Promise.all(samples.map(packagesOf))).flat();
  return [...new Set(found.flatMap(({ directory = [] }) => directory))].join(delimiter);
}

/** Leaves out samples whose packages cannot be installed here; `pythonPackages` reports them. */
async function runnable(language: Language, samples: readonly Sample[]): Promise<readonly Sample[]> {
  if (language !== "python") return samples;
  const packages = await Promise.all(samples.map(packagesOf));
  return samples.filter((_, i) => packages[i]?.every(({ missing }) => missing === undefined));
}

test("the page has every guide", () => {
  expect(guides.map(({ guide }) => `docs/guide/${guide}`).sort()).toEqual(globSync("docs/guide/*").sort());
});

describe.each(guides)("$guide", ({ guide, samplesIn }) => {
  test.for(["sh", "ts", "python"] as const)("has %s samples whose output is as it says", async (language, { skip }) => {
    skip(language === "python" && !hasPython, "there is no python3 here");
    const all = samplesIn(language);
    skip(guide === "notebook.md" && language !== "python", "notebooks are in Python");
    skip(guide === "compliance.md" && language === "ts", "its program is short, and in Python only");
    skip(guide === "webhooks.md" && language !== "sh", "receivers run until they are ended: receivers.long.test.ts");
    expect(all).not.toEqual([]);
    const samples = await runnable(language, all);
    const printed = await printedBy(language, samples, guide);
    expect(printed).toHaveLength(samples.length);
    for (const [index, { output }] of samples.entries()) {
      if (output === undefined) continue;
      expect(withoutSpace(printed[index] ?? ""), `sample ${index + 1}`).toMatch(patternOf(output));
    }
  });
});

describe("a response with a Retry-After of a day", () => {
  const limited = useForwarder(() => stage().description.base_url, {
    instead: (_, response) => !!response.writeHead(429, { "Retry-After": "86400" }).end("{}"),
  });

  test.for(["ts", "python"] as const)(
    "ends the %s sample with a message instead of a wait",
    async (language, { skip }) => {
      skip(language === "python" && !hasPython, "there is no python3 here");
      const [sample] = guides.find(({ guide }) => guide === "errors.md")?.samplesIn(language) ?? [];
      const [program, extension] = language === "ts" ? [process.execPath, "mts"] : ["python3", "py"];
      const file = join(folder, `limited.${extension}`);
      writeFileSync(file, sample?.code ?? expect.fail("no sample"));
      const env = { ...environment("errors.md"), BASE_URL: limited.url() };
      await expect(run(program, [file], { cwd: folder, env, timeout: 20_000 })).rejects.toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("429: come again in 86400 s"),
      });
    },
  );
});

test("the TypeScript samples pass the strictest type checks", async () => {
  for (const { guide, samplesIn } of guides) {
    for (const [index, { code }] of samplesIn("ts").entries())
      writeFileSync(join(folder, `${guide}-${index}.mts`), code);
  }
  const options = { extends: resolve("tsconfig.json"), include: ["*.md-*.mts"] };
  const compilerOptions = { typeRoots: [resolve("node_modules/@types")] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...options, compilerOptions }));
  const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), ["--project", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
});
