import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { ApiClient, listRecords, readFeed } from "../../clients/typescript/index.ts";
import { useStage } from "../api/useStage.ts";
import { pythonClient } from "./pythonClient.ts";

const { stage } = useStage();
const sources = import.meta.dirname;
const folder = mkdtempSync(join(inject("temporaryDirectory"), "clients-"));
let packages: string | undefined;
let missing: string | undefined;

beforeAll(async () => {
  const found = await pythonClient();
  missing = found.missing;
  packages = found.directory;
  if (missing === undefined) await run("npm", ["run", "--silent", "pack:clients"]);
}, 300_000);

async function run(program: string, parameters: string[], options: { cwd?: string; env?: object } = {}) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
  const { stdout, stderr } = await promisify(execFile)(program, parameters, { ...options, env }).catch((error) => {
    throw new Error(`${program} ${parameters.join(" ")}\n${error.stdout}${error.stderr}`);
  });
  return `${stdout}${stderr}`;
}

/** The only file of a form among the packages. */
const packed = (form: string): string =>
  globSync(`clients/dist/${form}`).map((file) => resolve(file))[0] ?? expect.fail();

function environment() {
  const { base_url: BASE_URL, service_provider, crbs } = stage().description;
  const { sp_id: SP_ID, client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = service_provider;
  const crb = crbs[0] ?? expect.fail("no CRB");
  return { BASE_URL, SP_ID, CLIENT_ID, CLIENT_SECRET, CRB_ID: crb.crb_id, CRB_SECRET: crb.client_secret };
}

/** The demo's business, read by the client in TypeScript. */
async function expected() {
  const { BASE_URL: baseUrl, SP_ID: sp_id, CRB_ID: crb_id, CLIENT_SECRET: credential } = environment();
  const client = new ApiClient({ baseUrl, credential });
  const base = "/service-providers/{sp_id}/crbs/{crb_id}";
  const path = { sp_id, crb_id };
  const products = await Array.fromAsync(listRecords(client, `${base}/products`, { path }));
  const events = await Array.fromAsync(readFeed(client, "/service-providers/{sp_id}/events", { sp_id }));
  const { data } = await client.get(`${base}/replications`, { params: { path } });
  const records = Object.fromEntries(data.map((one) => [one.kind, one.records]));
  return {
    name: (await client.get(base, { params: { path } })).name,
    ids: products.map(({ id }) => id).sort(),
    verified: records,
    own: records,
    events: events.flatMap((page) => page.data.map(({ id }) => id)).sort(),
    export: [["products-1.ndjson.gz", true]],
    deposits: [1, 1, 1, ["python-1", "python-2"], ["python-1"]],
    unknown: "not_found",
  };
}

describe("the wheel", () => {
  let wheel = "";
  const python = (parameters: string[], env = {}) => {
    const PYTHONPATH = [wheel, packages].join(delimiter);
    return run("python3", parameters, { env: { PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1", ...env } });
  };
  const checkTypes = (file: string) =>
    python(["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), file], { MYPYPATH: wheel });

  beforeAll(async () => {
    if (missing !== undefined) return;
    wheel = join(folder, "wheel");
    await run("python3", ["-m", "zipfile", "-e", packed("*.whl"), wheel]);
  });

  test("passes mypy's strict checks, and so does a program that uses it", async ({ skip }) => {
    skip(missing !== undefined, missing);
    expect(await checkTypes(join(wheel, "cannabis_business_data"))).toContain("Success");
    expect(await checkTypes(join(sources, "readStage.py"))).toContain("Success");
    const wrong = join(folder, "wrong.py");
    writeFileSync(wrong, readFileSync(join(sources, "readStage.py"), "utf8").replaceAll('"inventory"', '"stock"'));
    await expect(checkTypes(wrong)).rejects.toThrow(/stock[\s\S]*Found 1 error/);
  }, 300_000);

  test("passes its tests against a server with faults", async ({ skip }) => {
    skip(missing !== undefined, missing);
    expect(await python([join(sources, "transportTests.py")])).toMatch(/Ran \d\d tests in [\s\S]*OK\n$/);
  }, 120_000);

  test("copies, verifies and exports a business of the stage", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const known = await expected();
    expect(known.ids.length).toBeGreaterThan(100);
    expect(JSON.parse(await python([join(sources, "readStage.py")], environment()))).toEqual(known);
  }, 300_000);
});

test("the server for agents works as a program that is installed alone", async ({ skip }) => {
  skip(missing !== undefined, missing);
  const own = join(folder, "agents");
  mkdirSync(join(own, "node_modules", "cannabis-business-data-mcp"), { recursive: true });
  const target = join(own, "node_modules", "cannabis-business-data-mcp");
  await run("tar", ["-xzf", packed("cannabis-business-data-mcp-*.tgz"), "--strip-components", "1", "-C", target]);
  const { bin, dependencies } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(own, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(own, "node_modules", name));
  }
  const program = join(target, bin["cannabis-business-data-mcp"]);
  expect(await run(process.execPath, [program, "--help"])).toMatch(/^Usage/);
  await expect(run(process.execPath, [program])).rejects.toThrow(/A variable is not set[\s\S]*Usage/);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], env: environment(), stderr: "inherit" }),
  );
  onTestFinished(() => client.close());
  const { structuredContent } = await client.callTool({ name: "list_businesses", arguments: {} });
  expect(structuredContent).toMatchObject({ operations: ["getOverview"], data: expect.any(Array) });
}, 60_000);

test("the tarball works in a program of its own, and its types pass strict checks", async ({ skip }) => {
  skip(missing !== undefined, missing);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  const dependencies = ["openapi-fetch", "openapi-typescript-helpers", "standardwebhooks", "@types"];
  for (const name of dependencies) symlinkSync(resolve("node_modules", name), join(modules, name));
  await run("tar", ["-xzf", packed("cannabis-business-data-client-*.tgz")], { cwd: folder });
  symlinkSync(join(folder, "package"), join(modules, "cannabis-business-data-client"));
  const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync("clients/typescript/README.md", "utf8")) ?? [];
  writeFileSync(join(folder, "sample.mts"), sample.replace('"https://api.example.com"', 'process.env.BASE_URL ?? ""'));
  const compilerOptions = { skipLibCheck: false, noEmit: true, typeRoots: [join(modules, "@types")] };
  const settings = { extends: resolve("tsconfig.json"), compilerOptions, include: ["sample.mts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const [tsc, ...project] = [resolve("node_modules/.bin/tsc"), "--project", folder];
  await run(tsc, project);
  const printed = (await run(process.execPath, ["sample.mts"], { cwd: folder, env: environment() })).trim().split("\n");
  const { name, verified } = await expected();
  expect(new Set(printed).size).toBe(verified.sales);
  expect(printed[0]).toMatch(name);
}, 300_000);
