import { expect, test, vi } from "vitest";
import { type BackgroundFunction, background } from "../../../../infra/stacks/background.ts";
import { functions } from "../../../../infra/tools/smoke/checks/functions.ts";
import { Trial, type Tried } from "../../../../infra/tools/smoke/trial.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";
import { trialEvent } from "../../../../shared/platform/aws/trialEvent.ts";
import { pages } from "../../../../shared/web/pageRoutes.ts";
import { functionOf, respondAsAws, stackOf } from "../../deploy/awsDouble.ts";

const handlers = [
  ...new Set([...operationRegistry, ...pages, ...Object.values(background)].map(({ handler }) => handler)),
];

/** The behavior of a function, by its event and the number of earlier calls. */
type Answering = (
  handler: string,
  event: Record<string, unknown>,
  before: number,
) => { ms: number; init?: number; failure?: true };

const workers = new Set<string>(Object.values(background).map(({ handler }) => handler));
const routesOf = (handler: string) =>
  operationRegistry.find((each) => each.handler === handler)?.routes ??
  pages.filter((each) => each.handler === handler);

/** A function of an earlier release, and the version of the present one that the gateway called before. */
const left = { name: "business-data-sandbox-api-left", handler: "crbs/left" };
const deployedVersion = "7";

/**
 * A test double of Lambda, with a report at the end of each log, of the gateway, which names a version of each existing
 * function, and of CloudFormation, which knows the gateway.
 */
async function tryOn(answering: Answering, there = handlers): Promise<Trial> {
  const calls = new Map<string, number>();
  /** Calls of functions that are not running. */
  const otherwise: string[] = [];
  const names = there.map(
    (handler) => `business-data-sandbox-${workers.has(handler) ? "workers" : "api"}-${handler.replace("/", "-")}`,
  );
  const paths: Record<string, Record<string, object>> = {};
  there.forEach((handler, i) => {
    const arn = `arn:aws:lambda:us-east-1:000000000000:function:${names[i]}:${deployedVersion}`;
    const uri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${arn}/invocations`;
    for (const { method, path } of routesOf(handler)) {
      const integration = { "x-amazon-apigateway-integration": { type: "aws_proxy", uri } };
      paths[path] = { ...paths[path], [method.toLowerCase()]: integration, options: {} };
    }
  });
  await respondAsAws(({ url, sent }) => {
    const [, name, version] = /^\/2015-03-31\/functions\/([^/]+)\/invocations(?:\?Qualifier=(.*))?$/.exec(url) ?? [];
    if (url === "/") return stackOf({ ReleaseApi: "api1" });
    if (url === "/restapis/api1/stages/sandbox/exports/oas30?extensions=integrations") {
      return { body: { openapi: "3.0.1", paths } };
    }
    if (name === undefined) {
      const present = there.map((handler, i) => functionOf(names[i] ?? "", "sandbox", handler));
      const others = [functionOf(left.name, "sandbox", left.handler), functionOf("another", "sandbox")];
      return { body: { Functions: [...present, ...others] } };
    }
    const handler = there[names.indexOf(name)] ?? "";
    if (version !== (workers.has(handler) ? undefined : deployedVersion)) otherwise.push(`${name}:${version}`);
    const before = calls.get(handler) ?? 0;
    calls.set(handler, before + 1);
    const { ms, init, failure } = answering(handler, JSON.parse(sent), before);
    const metrics = { durationMs: ms, ...(init !== undefined && { initDurationMs: init }) };
    const log = `{"level":"INFO"}\n${JSON.stringify({ time: "", type: "platform.report", record: { metrics } })}\n`;
    return {
      body: failure ? { errorType: "Error" } : { statusCode: 401 },
      headers: {
        "X-Amz-Log-Result": Buffer.from(log).toString("base64"),
        ...(failure && { "X-Amz-Function-Error": "Unhandled" }),
      },
    };
  });
  const trial = new Trial({ stage: "sandbox" } as Tried);
  await functions.run(trial);
  expect(otherwise).toEqual([]);
  return trial;
}

test("every running function is called until a new instance and an existing one have responded", async () => {
  const events = new Map<string, Record<string, unknown>>();
  const { differences, notes } = await tryOn((handler, event, before) => {
    events.set(handler, event);
    // Some functions already have an instance: a second call at the same time needs a new one.
    const isCold = handler.startsWith("crbs/") ? before === 2 : before === 0;
    return isCold ? { ms: 100, init: 400 } : { ms: 7 };
  });
  expect(differences).toEqual([]);
  expect(notes).toEqual([
    `${handlers.length} functions`,
    `${handlers.length} cold in 500 to 500 ms`,
    `${handlers.length} warm in 7 to 7 ms`,
  ]);
  expect(events.get("crbs/getCrb")).toMatchObject({ httpMethod: "GET", path: "/crbs/{crb_id}", body: null });
  expect(JSON.stringify(events.get("crbs/getCrb"))).not.toContain("Authorization");
  expect(events.get("replication/worker")).toEqual(trialEvent);
});

test("reports functions that fail, start slowly, are missing, or never start a new instance", async () => {
  const [gone = "", failing = "", slow = "", warm = "", ...others] = handlers;
  const { differences } = await tryOn(
    (handler, _, before) => {
      if (handler === failing) return { ms: 1, failure: true, ...(before === 0 && { init: 1 }) };
      if (handler === warm || before > 0) return { ms: 7 };
      return { ms: 100, init: handler === slow ? 4_000 : 400 };
    },
    [failing, slow, warm, ...others],
  );
  const seen = differences.map(({ what, seen }) => [what.replace(/^functions\/|\.ts/g, ""), seen]);
  expect(seen.sort()).toEqual(
    [
      ["operations and pages without a function", JSON.stringify([`functions/${gone}.ts`])],
      [failing, '{"errorType":"Error"}'],
      [`${slow}: a new instance`, "4100"],
      [`${warm}: instances`, "no new instance"],
    ].sort(),
  );
});

const scheduled = Object.values<BackgroundFunction>(background).filter(({ minutes }) => minutes !== undefined);

test.each(scheduled)("the function of a schedule $handler does none of its work in a trial", async ({ handler }) => {
  const loaded = await import(new URL(`../../../../functions/${handler}.ts`, import.meta.url).href);
  // Without a context and a table, any work would fail.
  vi.stubEnv("TABLE_NAME", undefined);
  await expect(loaded.handler(trialEvent)).resolves.toBeUndefined();
});
