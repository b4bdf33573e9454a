import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import { catalogue } from "../../../shared/api/catalogue.ts";
import { replicationKey } from "../../../shared/table/keys.ts";
import { copyDemoData } from "../../demoData.ts";
import { startProgram } from "./startedProcess.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();

const data = temporaryDirectory();
let stage: Stage;

beforeAll(async () => {
  await copyDemoData(data);
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
});
afterAll(() => stage?.stop());

test("the first call of the README gives the answer that stands there", async () => {
  const readme = readFileSync("README.md", "utf8");
  const [, section = ""] = readme.split("## A first call");
  const [, commands = "", answer = ""] = /```sh\n(.*?)```.*?```json\n(.*?)```/s.exec(section) ?? [];
  const here = commands.replace("./.local/", `${data}/`).replace("http://127.0.0.1:3000", stage.description.base_url);
  const { stdout } = await promisify(execFile)("bash", ["-c", here]);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(answer));
});

test("replicate brings what is new in the POS, and two at once do it one after the other", async () => {
  const crbId = stage.description.crbs[0]?.crb_id ?? expect.fail("no CRB");
  const state = () => stage.table.get(replicationKey(crbId, "customer"), { consistent: true });
  const before = await state();
  await Promise.all([stage.replicate(), stage.replicate()]);
  const after = await state();
  expect(after?.fence).toBe(Number(before?.fence) + 2);
  expect(after).toMatchObject({ error: null, held_until: 0 });
  expect(String(after?.since) > String(before?.since)).toBe(true);
});

test("calls at the same time get each their own answer", async () => {
  const { base_url, crbs } = stage.description;
  const calls = Array.from({ length: 20 }, (_, i) =>
    fetch(`${base_url}/crbs/${crbs[0]?.crb_id}/customers?limit=${i % 2 === 0 ? 1000 : 0}`, {
      headers: { Authorization: crbs[0]?.client_secret ?? "" },
    }),
  );
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, () => [200, 422]).flat(),
  );
});

describe("npm run invoke", () => {
  const invoke = async (...parameters: string[]) => {
    const started = startProgram("invoke.ts", parameters);
    return { ...(await started.ended), out: started.out, err: started.err };
  };
  const operations = catalogue.flatMap(({ routes }) => routes.map(({ operationId }) => operationId));

  test.each(operations)("%s answers its sample event", async (operationId) => {
    const { code, out, err } = await invoke(operationId, "--data", data);
    expect(err).toMatch(/^200 OK after \d+ ms/);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toBeTypeOf("object");
  });

  test("takes another event", async () => {
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
    [[], "OPERATION"],
    [["getCrb", "getCrbInfo"], "OPERATION"],
    [["getCrb", "--colour"], "--colour"],
    [["getCrb", "--data", "/nowhere"], "npm start"],
    [["getCrb", "--data", data, "--event", "/nowhere.json"], "/nowhere.json"],
    [["getCrb", "--data", data, "--event", "README.md"], "not JSON"],
  ])("%j is refused with one line", async (parameters, named) => {
    const { code, out, err } = await invoke(...parameters);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(named);
  });
});
