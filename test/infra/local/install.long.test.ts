import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const needed = { "node_modules/a": { version: "1.0.0" } };
const forTests = { "node_modules/t": { version: "1.0.0", dev: true } };
const optional = { "node_modules/b": { version: "1.0.0", optional: true } };
const lock = { packages: { "": {}, ...needed, ...forTests, ...optional } };
const outdated = { version: "0.9.0" };
let project: string;

/** A project with an npm that only records its calls. */
beforeEach(() => {
  project = temporaryDirectory();
  mkdirSync(join(project, "infra", "local"), { recursive: true });
  mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
  for (const file of ["install.mjs", "packages.mjs", "requireDependencies.mjs", "requireDevDependencies.mjs"]) {
    cpSync(`infra/local/${file}`, join(project, "infra", "local", file));
  }
  review({});
  symlinkSync(process.execPath, join(project, "node_modules", ".bin", "node"));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
  present({ ...needed, ...forTests });
  npm("exit 0");
});

/** The packages that npm has recorded as installed; undefined for none. */
function present(packages: object | undefined): void {
  for (const name of Object.keys(packages ?? {})) mkdirSync(join(project, name), { recursive: true });
  writeFileSync(join(project, "node_modules", ".package-lock.json"), packages ? JSON.stringify({ packages }) : "");
}

/** The executables whose hashes are known. */
function review(executables: object): void {
  writeFileSync(join(project, "infra", "local", "executables.json"), JSON.stringify(executables));
}

function npm(then: string): void {
  writeFileSync(join(project, "npm"), `#!/bin/sh\n[ "$1" = rebuild ] && exit 0\necho "$@" > called\n${then}\n`);
  chmodSync(join(project, "npm"), 0o755);
}

const called = () => existsSync(join(project, "called")) && readFileSync(join(project, "called"), "utf8").trim();

/** The progress, which goes to stderr, since the output of a program for other programs must not begin with it. */
const progress = /^(Installing|Waiting for) .*\n/gm;

/** @returns the output without the progress */
const install = (...parameters: string[]) => run(join(project, "infra", "local", "install.mjs"), ...parameters);

function run(...parameters: string[]): Promise<{ code: number; err: string }> {
  const env = { ...process.env, PATH: project + delimiter + process.env.PATH };
  return new Promise((resolve) =>
    execFile(process.execPath, parameters, { env, cwd: project }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), err: out + err.replace(progress, "") }),
    ),
  );
}

test.each([
  ["everything", [], { ...needed, ...forTests }],
  ["everything, and only starting needs it", ["start"], { ...needed, ...forTests }],
  ["what starting needs", ["start"], needed],
  [
    "what starting needs, and another version of the rest",
    ["start"],
    { ...needed, "node_modules/t": { ...outdated, dev: true } },
  ],
  [
    "what starting needs, and more for tests than there was",
    ["start"],
    { ...needed, "node_modules/u": { ...outdated, dev: true } },
  ],
])("nothing is installed if the project has %s", async (_case, parameters, packages) => {
  present(packages);
  expect(await install(...parameters)).toEqual({ code: 0, err: "" });
  expect(called()).toBe(false);
});

test.each([
  ["nothing is installed", undefined],
  ["a version differs", { ...forTests, "node_modules/a": outdated }],
  ["a package is missing", {}],
  ["there is one too many", { ...needed, ...forTests, "node_modules/c": { version: "1.0.0" } }],
  ["there is only what starting needs", needed],
])("npm installs everything if %s", async (_case, packages) => {
  present(packages);
  expect(await install()).toEqual({ code: 0, err: "" });
  expect(called()).toMatch(/^install --no-save .* --include=dev$/);
});

test.each([
  ["nothing is installed", undefined],
  ["a version differs", { "node_modules/a": outdated }],
  ["there is one too many", { ...needed, "node_modules/c": { version: "1.0.0" } }],
])("for starting, npm installs only the required packages if %s", async (_case, packages) => {
  present(packages);
  expect(await install("start")).toEqual({ code: 0, err: "" });
  expect(called()).toMatch(/^install --no-save .* --omit=dev$/);
});

test("packages for tests are kept if they are installed", async () => {
  present({ ...forTests, "node_modules/a": outdated });
  expect(await install("start")).toEqual({ code: 0, err: "" });
  expect(called()).toMatch(/^install --no-save .* --include=dev$/);
});

test("npm installs a package again if its folder is gone, though recorded as installed", async () => {
  rmSync(join(project, "node_modules", "a"), { recursive: true });
  expect(await install("start")).toEqual({ code: 0, err: "" });
  expect(called()).toMatch(/^install /);
});

describe("an executable", () => {
  const platform = `${process.platform}-${process.arch}`;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const file = () => join(project, "node_modules", "node", "bin", name);
  const reviewed = "a reviewed program";
  const sha256 = createHash("sha256").update(reviewed).digest("hex");

  beforeEach(() => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), reviewed);
    review({ node: { version: "24.0.0", sha256: { [platform]: sha256 } } });
  });

  test("with the reviewed hash is run", async () => {
    expect(await install("start")).toEqual({ code: 0, err: "" });
    expect(await install("start")).toEqual({ code: 0, err: "" });
  });

  test.each([
    ["at once", false],
    ["after it was verified", true],
  ])("with another hash makes every start fail without running it: %s", async (_case, isVerified) => {
    if (isVerified) await install("start");
    writeFileSync(file(), "another program");
    for (const _ of [1, 2]) {
      const { code, err } = await install("start");
      expect(code).toBe(1);
      expect(err).toMatch(
        /^\S+ has the SHA-256 [0-9a-f]{64}, not that of node 24\.0\.0 [^\n]+ It was not run\. [^\n]+\n$/,
      );
    }
  });

  test("that npm has just installed is verified before it runs", async () => {
    present(undefined);
    const mark = join(project, "ran");
    npm(`echo 'touch ${mark}' > node_modules/node/bin/${name}; chmod +x node_modules/node/bin/${name}`);
    rmSync(join(project, "node_modules", ".bin", "node"));
    symlinkSync(file(), join(project, "node_modules", ".bin", "node"));
    expect((await install("start")).err).toContain("It was not run.");
    expect(existsSync(mark)).toBe(false);
  });

  test("without a known hash for the platform is run, and its hash is reported once", async () => {
    review({ node: { version: "24.0.0", sha256: {} } });
    const { code, err } = await install("start");
    expect([code, err]).toEqual([0, expect.stringContaining(`no hash of node 24.0.0 for ${platform} is known`)]);
    expect(err).toContain(sha256);
    expect(await install("start")).toEqual({ code: 0, err: "" });
  });

  test("is not run if the list of hashes is missing", async () => {
    rmSync(join(project, "infra", "local", "executables.json"));
    expect(await install("start")).toMatchObject({ code: 1, err: expect.stringContaining("restore it") });
  });
});

describe("an interrupted installation", () => {
  const underWay = () => join(project, "node_modules", ".under-way.json");
  const folder = (name: string) => join(project, "node_modules", name);

  beforeEach(() => {
    for (const name of ["a", "t"]) mkdirSync(folder(name), { recursive: true });
  });

  function cutOff(...folders: string[]): void {
    writeFileSync(underWay(), JSON.stringify(folders));
    utimesSync(underWay(), 0, 0);
  }

  test("is repeated, without the packages that may be incomplete", async () => {
    cutOff("node_modules/a");
    npm("ls node_modules > seen");
    expect(await install("start")).toEqual({ code: 0, err: "" });
    expect(called()).toMatch(/ --include=dev$/);
    expect(readFileSync(join(project, "seen"), "utf8").split("\n")).toEqual(["t", ""]);
    expect(existsSync(underWay())).toBe(false);
  });

  test("does not prevent a start that needs none of its packages", async () => {
    cutOff("node_modules/t");
    expect(await install("start")).toEqual({ code: 0, err: "" });
    expect([called(), existsSync(folder("t"))]).toEqual([false, true]);
    expect(await install()).toEqual({ code: 0, err: "" });
    expect([called(), existsSync(folder("t"))]).toEqual([expect.any(String), false]);
  });

  test("leaves the names of its packages", async () => {
    present({ ...forTests, "node_modules/a": outdated, "node_modules/c": { version: "1.0.0" } });
    npm("kill -9 $$");
    expect((await install()).code).toBe(1);
    const named = ["node_modules/a", "node_modules/b", "node_modules/c"];
    expect(JSON.parse(readFileSync(underWay(), "utf8"))).toEqual(named);
  });
});

test("of two parallel installations, the second waits and finds everything installed", async () => {
  present(undefined);
  const noted = JSON.stringify({ packages: { ...needed, ...forTests } });
  npm(`echo once more >> calls; sleep 1; echo '${noted}' > node_modules/.package-lock.json`);
  const first = install();
  await expect.poll(called).toBeTruthy();
  expect([await install(), await first]).toEqual(Array(2).fill({ code: 0, err: "" }));
  expect(readFileSync(join(project, "calls"), "utf8")).toBe("once more\n");
});

test("a failure of npm is reported in one line", async () => {
  present(undefined);
  npm("exit 3");
  const { code, err } = await install();
  expect(code).toBe(1);
  expect(err).toMatch(/^npm install failed[^\n]*\n$/);
});

test("a Node that is neither in a package nor on the machine is fetched, and reported in one line if that fails", async () => {
  const node = { "node_modules/node": { version: "24.0.0", optional: true } };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ packages: { ...lock.packages, ...node } }));
  rmSync(join(project, "node_modules", ".bin", "node"));
  expect(await install()).toEqual({ code: 0, err: "" });
  expect(called()).toBe(false);
  writeFileSync(join(project, "node"), "#!/bin/sh\necho v20.11.0\n", { mode: 0o755 });
  const { code, err } = await install();
  expect(called()).toMatch(/^install --no-save /);
  expect(code).toBe(1);
  expect(err).toMatch(/^Node 24 is missing[^\n]*install Node 24 or newer\.\n$/);
});

test("a Node that its package did not install is reported in one line", async () => {
  present(undefined);
  npm("rm node_modules/.bin/node; printf '#!/bin/sh\\necho v20.11.0\\n' > node_modules/.bin/node");
  const { code, err } = await install();
  expect(code).toBe(1);
  expect(err).toMatch(/^Node 24 is missing[^\n]*npm rebuild node[^\n]*\n$/);
});

describe("a script that only checks the installation", () => {
  const message = "Packages are missing, or are not those of package-lock.json. Run: npm ci\n";
  /** Runs a program after one of the checks, as package.json does. */
  const behind = (check: string) => run(`--import=./infra/local/${check}`, "-e", "console.log('ran')");

  test.each([
    ["requireDevDependencies.mjs", { ...needed, ...forTests }],
    ["requireDependencies.mjs", needed],
    ["requireDependencies.mjs", { ...needed, ...forTests }],
  ])("runs after %s with the packages %j", async (check, packages) => {
    present(packages);
    expect(await behind(check)).toEqual({ code: 0, err: "ran\n" });
  });

  test.each([
    ["requireDevDependencies.mjs", undefined],
    ["requireDevDependencies.mjs", needed],
    ["requireDevDependencies.mjs", { ...needed, "node_modules/t": { ...outdated, dev: true } }],
    ["requireDependencies.mjs", undefined],
    ["requireDependencies.mjs", { "node_modules/a": outdated }],
  ])("says in one line what to do, at %s with the packages %j", async (check, packages) => {
    present(packages);
    expect(await behind(check)).toEqual({ code: 1, err: message });
    expect(await run(join("infra", "local", check))).toEqual({ code: 1, err: message });
    expect(called()).toBe(false);
  });

  test("says the same without the folder node_modules", async () => {
    rmSync(join(project, "node_modules"), { recursive: true });
    expect(await behind("requireDependencies.mjs")).toEqual({ code: 1, err: message });
  });
});
