import { execFile, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, delimiter, join, resolve } from "node:path";
import { parseEnv, promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { filesIn } from "../../../infra/local/environment.ts";
import { sources } from "../../../shared/web/reference/sourceFiles.ts";
import { useStage } from "../../api/useStage.ts";
import { pythonClient } from "../../clients/pythonClient.ts";
import { sampleFolder } from "../../clients/sampleFolder.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { useForwarder } from "../../useForwarder.ts";
import { useServer } from "../../useServer.ts";
import { type Language, patternOf, type Sample, samplesOf, withoutSpace } from "./samples.ts";

const { stage, data } = useStage();
let requests = 0;
/** A proxy of the stage that is too busy for every second request. */
const busy = useForwarder(() => stage().description.base_url, {
  instead: (_, response) => ++requests % 2 === 0 && !!response.writeHead(503, { "Retry-After": "1" }).end("{}"),
});
const folder = sampleFolder("guide-");
const run = promisify(execFile);

const guides = sources.guides.map((path) => {
  const own = samplesOf(readFileSync(path, "utf8"));
  return { guide: basename(path), samplesIn: (language: Language) => own.filter((one) => one.language === language) };
});

for (const { file, code } of guides.flatMap(({ samplesIn }) => [...samplesIn("ts"), ...samplesIn("python")])) {
  if (file) writeFileSync(join(folder, file), code);
}

const hasProgram = (name: string) => spawnSync(name, ["--version"]).status === 0;
const programs = { sh: "jq", ts: process.execPath, python: "python3" };
const missing = (Object.keys(programs) as Language[]).filter((language) => !hasProgram(programs[language]));
for (const language of missing) {
  console.log(`Skipped: the ${language} samples of the guides, which need ${programs[language]}.`);
}

/** The variables that the first guide sets. The guide about retries gets a service that is often too busy. */
function environment(guide: string): NodeJS.ProcessEnv {
  const { BASE_URL, ...variables } = parseEnv(readFileSync(filesIn(data()).callerVariables, "utf8"));
  return { ...variables, PATH: process.env.PATH, BASE_URL: guide === "errors.md" ? busy.url() : BASE_URL };
}

/** The output of each sample. All shell samples of a guide run in one shell, because later ones use variables of earlier ones. */
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
  for (const { code, file = `${basename(guide, ".md")}-${printed.length}.${extension}` } of samples) {
    writeFileSync(join(folder, file), code);
    printed.push((await run(program, [file], options)).stdout);
  }
  return printed;
}

/** The packages that Python samples may import. */
const imported = {
  "from client import": pythonClient,
  cannabis_business_data: pythonClient,
  requests_oauthlib: () => pythonPackages(),
  duckdb: () => pythonPackages("docs/warehouse/requirements.txt", "the guide's warehouse, which needs duckdb"),
  pandas: () => pythonPackages("docs/requirements.txt", "the guide's notebook, which needs pandas and matplotlib"),
};

// A busy machine installs them more slowly than a test may last.
if (!missing.includes("python")) {
  beforeAll(() => Promise.all(Object.values(imported).map((install) => install())), 300_000);
}

const packagesOf = ({ code }: Sample) =>
  Promise.all(Object.entries(imported).flatMap(([name, install]) => (code.includes(name) ? [install()] : [])));

/** The `PYTHONPATH` of samples. */
async function pythonPath(samples: readonly Sample[]): Promise<string> {
  const found = (await Promise.all(samples.map(packagesOf))).flat();
  return [...new Set(found.flatMap(({ directory = [] }) => directory))].join(delimiter);
}

/** Leaves out samples whose packages cannot be installed here; `pythonPackages` prints which. */
async function runnable(language: Language, samples: readonly Sample[]): Promise<readonly Sample[]> {
  if (language !== "python") return samples;
  const packages = await Promise.all(samples.map(packagesOf));
  return samples.filter((_, i) => packages[i]?.every(({ missing }) => missing === undefined));
}

test("the page has every guide", () => {
  expect(guides.map(({ guide }) => `docs/guide/${guide}`).sort()).toEqual(globSync("docs/guide/*.md").sort());
});

describe.each(guides)("$guide", ({ guide, samplesIn }) => {
  test.for(["sh", "ts", "python"] as const)("its %s samples print what it says", async (language, { skip }) => {
    skip(missing.includes(language), `there is no ${programs[language]} here`);
    const all = samplesIn(language);
    skip(guide === "notebook.md" && language !== "python", "notebooks are in Python");
    skip(guide === "sales-to-deposits.md" && language !== "sh", "the service does what its programs did");
    skip(guide === "compliance.md" && language === "ts", "its program is short, and in Python only");
    skip(guide === "load-a-warehouse.md" && language === "ts", "its program uses DuckDB, in Python only");
    skip(guide === "what-can-go-wrong.md" && language !== "sh", "people try these cases at a terminal");
    skip(guide === "program-keys.md" && language !== "sh", "the clients and OAuth 2 libraries sign assertions");
    skip(guide === "persons.md" && language !== "sh", "an identity provider is set up once, at a terminal");
    skip(guide === "identity-providers.md", "its steps are taken at the provider's own pages");
    skip(guide === "agents.md" && language !== "sh", "agent programs start the server by their settings");
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

describe.each(["ts", "python"] as const)("a %s sample", (language) => {
  const limited = useForwarder(() => stage().description.base_url, {
    instead: (_, response) => !!response.writeHead(429, { "Retry-After": "86400" }).end("{}"),
  });
  /** The next response, in place of one of the stage. */
  let fault: ((response: ServerResponse) => void) | undefined;
  const proxy = useForwarder(() => stage().description.base_url, {
    instead: (_, response) => {
      const respond = fault;
      fault = undefined;
      respond?.(response);
      return respond !== undefined;
    },
  });
  let redirected = 0;
  const otherHost = useServer((_, response) => {
    redirected++;
    response.end("{}");
  });
  const [sample] = guides.find(({ guide }) => guide === "errors.md")?.samplesIn(language) ?? [];
  const file = `retry.${language === "ts" ? "mts" : "py"}`;
  const runSample = (BASE_URL: string) => {
    writeFileSync(join(folder, file), sample?.code ?? expect.fail("no sample"));
    const env = { ...environment("errors.md"), BASE_URL };
    return run(programs[language], [file], { cwd: folder, env, timeout: 20_000 });
  };

  test("waits as long as a busy service says, then repeats the request", async ({ skip }) => {
    skip(missing.includes(language), `there is no ${programs[language]} here`);
    requests = 1;
    expect((await runSample(busy.url())).stderr).toContain("503: retry in 1 s");
  });

  test("ends with a message, and does not wait for a day", async ({ skip }) => {
    skip(missing.includes(language), `there is no ${programs[language]} here`);
    await expect(runSample(limited.url())).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("429: retry after 86400 s"),
    });
  });

  test("survives the responses of a proxy, and follows no redirect", async ({ skip }) => {
    skip(missing.includes(language), `there is no ${programs[language]} here`);
    const printed = async (respond: typeof fault) => {
      fault = respond;
      return (await runSample(proxy.url())).stdout;
    };
    const date = { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" };
    expect(await printed((response) => response.writeHead(503, date).end("<html>"))).toContain("422 query.limit");
    expect(await printed((response) => response.writeHead(422).end("<html>"))).toBe("");
    expect(await printed((response) => response.writeHead(302, { Location: otherHost() }).end())).toBe("");
    expect(redirected).toBe(0);
  });
});

test("the Python samples pass mypy's strict checks", async ({ skip }) => {
  skip(missing.includes("python"), "there is no python3 here");
  const { missing: unavailable } = await pythonClient();
  skip(unavailable !== undefined, unavailable);
  const samples = await runnable(
    "python",
    guides.flatMap(({ samplesIn }) => samplesIn("python")),
  );
  expect(samples.length).toBeGreaterThan(20);
  const files = samples.map(({ code, file = `sample_${samples.findIndex((one) => one.code === code)}.py` }) => {
    writeFileSync(join(folder, file), code);
    return file;
  });
  const PYTHONPATH = await pythonPath(samples);
  const check = () =>
    // Some packages of samples have no types.
    run("python3", ["-m", "mypy", "--strict", "--disable-error-code", "import-untyped", ...files], {
      cwd: folder,
      env: { PATH: process.env.PATH, PYTHONPATH },
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  expect(await check()).toBe(`Success: no issues found in ${new Set(files).size} source files\n`);
  const call = join(folder, "call.py");
  writeFileSync(call, readFileSync(call, "utf8").replace("(path: str,", "(path: int,"));
  expect(await check()).toMatch(/"call" has incompatible type "str"; expected "int"/);
}, 300_000);

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
