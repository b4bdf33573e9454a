import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseEnv, promisify, stripVTControlCharacters } from "node:util";
import type { APIGatewayProxyResult } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoLicenseNumber } from "../../../infra/local/demoBusinesses.ts";
import { functionEnvironment } from "../../../infra/local/environment.ts";
import { FunctionHost } from "../../../infra/local/functionHost.ts";
import { eventOf, invoke as invokeProgram } from "../../../infra/local/invoke.ts";
import { startStage } from "../../../infra/local/stage.ts";
import { runningEndpoints } from "../../../infra/local/stageLock.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { crbRecord } from "../../crbRecord.ts";
import { copyDemoData } from "../../demoData.ts";
import { useOperator } from "../tools/operator/useOperator.ts";
import { runHere } from "./runHere.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const { data, stage, call, crbAt } = useOperator();

test("the first call of the README returns only the records that changed, with the dates shown there", async () => {
  const readme = readFileSync("README.md", "utf8");
  const [, section = ""] = readme.split("## A first call");
  const [, first = "", second = "", record = ""] =
    /```sh\n(.*?)```.*?```sh\n(.*?)```.*?```json\n(.*?)```/s.exec(section) ?? [];
  const bash = async (commands: string, env: NodeJS.ProcessEnv = {}) => {
    const { stdout } = await promisify(execFile)("bash", ["-c", commands], { env: { ...process.env, ...env } });
    return stdout.trim();
  };
  const prepared = first.replace("./.local/", `${data}/`);
  const [changes, cursor] = (await bash(`${prepared}\necho "$changes"; echo "$cursor"`)).split("\n");
  const { CLIENT_SECRET } = parseEnv(readFileSync(join(data, "stage.env"), "utf8"));
  const began = Date.now();
  await stage().replicate();
  const answer = JSON.parse(await bash(second, { changes, cursor, CLIENT_SECRET }));
  expect(answer.data.length).toBeGreaterThan(0);
  for (const { svc_updated_date } of answer.data) expect(Date.parse(svc_updated_date)).toBeGreaterThanOrEqual(began);
  // The POS leaves some fields of some records empty.
  const shown = Object.keys(JSON.parse(record));
  for (const changed of answer.data) expect(Object.keys(changed)).toEqual(expect.arrayContaining(shown));
});

test("replicate reads new records of the POS, and parallel calls run one after the other", async () => {
  const crbId = stage().description.crbs[0]?.crb_id ?? expect.fail("no CRB");
  const state = () => stage().table.get(replicationKey(crbId, "customer"), { consistent: true });
  const before = await state();
  await Promise.all([stage().replicate(), stage().replicate()]);
  const after = await state();
  expect(after?.fence).toBe(Number(before?.fence) + 2);
  expect(after).toMatchObject({ error: null, held_until: 0 });
  expect(String(after?.since) > String(before?.since)).toBe(true);
});

test("the planner replicates the CRBs of all service providers", async () => {
  const planned = temporaryDirectory();
  await copyDemoData(planned);
  const own = await startStage({ port: 0, data: planned, replicateEvery: 1 });
  try {
    const id = randomUUID();
    const record = { ...crbRecord(id), business_type: "wholesale" as const };
    const connection = { posType: "Canix" as const, locationId: null, connectedAt: "2026-01-01T00:00:00.000Z" };
    const aMinuteAgo = { now: () => new Date(Date.now() - 60_000), sleep: async () => undefined };
    await createCrb(own.table, { record, serviceProviderId: randomUUID(), connection }, aMinuteAgo);
    const succeeded = async () => {
      const state = await own.table.get(replicationKey(id, "location"), { consistent: true });
      return state?.succeeded_at ?? "";
    };
    await expect.poll(succeeded).not.toBe("");
    const first = await succeeded();
    await expect.poll(async () => String(await succeeded()) > String(first)).toBe(true);
  } finally {
    await own.stop();
  }
});

test("parallel calls each get their own response", async () => {
  const { crb_id, client_secret } = crbAt(0);
  const calls = Array.from({ length: 20 }, (_, i) =>
    call(client_secret, `/crbs/${crb_id}/customers?limit=${i % 2 === 0 ? 1000 : 0}`),
  );
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, () => [200, 422]).flat(),
  );
});

describe("the sample event", () => {
  let functions: FunctionHost;
  let engine: string;
  beforeAll(() => {
    const endpoints = runningEndpoints(data) ?? expect.fail("no stage");
    engine = endpoints.engine;
    functions = new FunctionHost(functionEnvironment(data, endpoints), new PassThrough().resume());
  });
  afterAll(() => functions?.stop());

  /** A call of the demo's invited user. */
  async function putByUser(path: string, body: object): Promise<void> {
    const { invitation_token } = stage().description.invitation;
    expect((await call(invitation_token, `/onboarding/${path}`, "PUT", body)).status).toBe(200);
  }
  const linkByUser = (number = "CO-R-10168") => putByUser("licenses", { license_numbers: [number] });

  const all = operationRegistry.flatMap(({ handler, routes }) => routes.map((route) => ({ handler, route })));
  // They come last, since other operations need the link and the consent.
  const isLast = ({ route }: (typeof all)[number]) =>
    ["unlinkCrbLicense", "withdrawConsent"].includes(route.operationId);
  const operations = [...all.filter((one) => !isLast(one)), ...all.filter(isLast)];
  test.each(operations)("of $route.operationId succeeds", async ({ handler, route }) => {
    if (route.operationId === "unlinkOnboardingLicense") await linkByUser();
    if (route.operationId === "setOnboardingStateConnection") {
      await putByUser("consent", { terms_version: terms(stages.local).version });
      await linkByUser(demoLicenseNumber);
    }
    const event = await eventOf(route, { eventFile: `events/${route.operationId}.json`, data, engine });
    const { statusCode, body } = (await functions.invoke(handler, event, "sample")) as APIGatewayProxyResult;
    // The demo's business still lacks documents for a submission.
    const isMissing = route.operationId === "submitOnboarding";
    const { data: details } = JSON.parse(body);
    if (isMissing) expect([statusCode, details?.missing]).toEqual([409, expect.arrayContaining([expect.any(Object)])]);
    else expect([statusCode, JSON.parse(body)]).toEqual([200, expect.any(Object)]);
  });
});

describe("npm run invoke", () => {
  const invoke = (...parameters: string[]) => runHere(invokeProgram, parameters);
  test("runs the function on its sample event", async () => {
    const { code, out, err } = await invoke("listCustomers", "--data", data);
    expect(err).toMatch(/^200 OK after \d+ ms/);
    expect(code).toBe(0);
    expect(JSON.parse(out).data).not.toEqual([]);
  });

  test("creates an upload link to which pages of any origin may send", async () => {
    const { out } = await invoke("createDocumentUpload", "--data", data);
    const answer = await fetch(JSON.parse(out).upload_link, {
      method: "OPTIONS",
      headers: {
        Origin: "https://app.example.com",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-type,if-none-match",
      },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  test("formats and colors the response on a terminal", async () => {
    const terminal = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true });
    await invokeProgram(["getCrb", "--data", data], {
      stdin: process.stdin,
      stdout: terminal,
      stderr: new PassThrough(),
    });
    const out = String(terminal.read());
    expect(out.split("\n").length).toBeGreaterThan(20);
    expect(out).toContain('\u001b[36m"name"\u001b[39m: \u001b[32m"High Country Remedies"\u001b[39m');
    expect(JSON.parse(stripVTControlCharacters(out))).toMatchObject({ name: "High Country Remedies" });
  });

  test("accepts another event", async () => {
    const event = JSON.parse(readFileSync("events/listCustomers.json", "utf8"));
    event.multiValueQueryStringParameters = { limit: ["0"] };
    event.queryStringParameters = { limit: "0" };
    const file = join(temporaryDirectory(), "event.json");
    writeFileSync(file, JSON.stringify(event));
    const { code, out } = await invoke("listCustomers", "--data", data, "--event", file);
    expect(JSON.parse(out)).toMatchObject({ status: 422, fields: { "query.limit": {} } });
    expect(code).toBe(0);
  });

  test.each([
    [["listCustomer", "--data", data], "listCustomers"],
    [["nothing", "--data", data], "exchangeToken"],
    [["getCrb", "--data", "/nowhere"], "npm start"],
    [["getCrb", "--data", data, "--event", "/nowhere.json"], "/nowhere.json"],
    [["getCrb", "--data", data, "--event", "README.md"], "not JSON"],
    [["listcustomers"], "Unknown operation listcustomers. Did you mean listCustomers?"],
  ])("%j is rejected in one line", async (parameters, named) => {
    const { code, out, err } = await invoke(...parameters);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(named);
  });
});
