import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countAges } from "../../../shared/domain/replication/freshness.ts";
import { freshnessPartition } from "../../../shared/store/keys/replication.ts";
import type { ServiceStatus } from "../../../shared/web/status/serviceStatus.ts";
import { requestEvent } from "../../requestEvent.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
const incidents = vi.hoisted(() => ({ text: "" }));
/** If it is set, every wait lasts until then, whatever its time. */
const waits = vi.hoisted(() => ({ until: undefined as Promise<void> | undefined }));

vi.mock("node:timers/promises", async (original) => {
  const timers = await original<typeof import("node:timers/promises")>();
  const wait: typeof timers.setTimeout = (...of) => waits.until?.then(() => of[1] as never) ?? timers.setTimeout(...of);
  return { ...timers, setTimeout: wait };
});

vi.mock("../../../shared/platform/readProjectFile.ts", async (original) => {
  const { readProjectFile } = await original<typeof import("../../../shared/platform/readProjectFile.ts")>();
  return {
    readProjectFile: (path: string) => (path.endsWith("incidents.json") ? incidents.text : readProjectFile(path)),
  };
});

beforeEach(async () => {
  vi.resetModules();
  vi.stubEnv("STAGE", "prod");
  vi.stubEnv("OPERATOR_NAME", "Smith & Sons");
  incidents.text = "{}";
  waits.until = undefined;
  for (const { pk, sk } of await table().queryPartition(freshnessPartition)) await table().delete({ pk, sk });
});
afterEach(() => void vi.unstubAllEnvs());

/** Requests both forms from a new instance. */
async function request() {
  const { handler } = await import("../../../functions/description/statusPage.ts");
  const event = requestEvent({ resource: "/status" });
  const page = await handler({ ...event, requestContext: { ...event.requestContext, path: "/prod/status/" } });
  const { statusCode, body, headers } = await handler(requestEvent({ resource: "/status.json" }));
  expect(page.statusCode).toBe(statusCode);
  return { page, statusCode, headers, json: JSON.parse(body) as ServiceStatus };
}

test("the ages of records are shown for all businesses together", async () => {
  await countAges(
    table(),
    [60, 240, 3_000].map((seconds) => ({ kind: "sale", seconds })),
    new Date(),
  );
  const { page, statusCode, json } = await request();
  expect(statusCode).toBe(200);
  expect(json).toMatchObject({
    status: "operational",
    api: "operational",
    replication: { status: "operational", ages: [{ kind: "sales", median_minutes: 5, oldest_minutes: 60 }] },
  });
  expect(page.body).toContain('<th scope="row">sales</th><td>5 minutes</td><td>60 minutes</td>');
  expect(page.body).toContain("Smith &amp; Sons");
  expect(page.body).toContain('href="/prod/docs"');
  expect(page.body).not.toMatch(/\{\w+\}/);
  expect(page.headers?.["Content-Security-Policy"]).toMatch(/^default-src 'none'; style-src-elem 'nonce-[\w-]{22}';/);
});

test("replication is delayed if no planner has run for ten minutes", async () => {
  await countAges(table(), [], new Date(Date.now() - 11 * 60_000));
  expect((await request()).json).toMatchObject({ status: "delayed", replication: { status: "delayed" } });
});

test("a table that cannot be read leads to 503, without details of the error", async () => {
  const { serviceTable } = await import("../../../shared/store/client.ts");
  const calls = interceptCalls(serviceTable());
  calls.before = () => {
    throw new Error("secret detail");
  };
  const { page, statusCode, headers, json } = await request();
  calls.before = () => undefined;
  expect([statusCode, headers?.["Retry-After"]]).toEqual([503, "60"]);
  expect(json).toMatchObject({ status: "unavailable", api: "unavailable", replication: null });
  expect(page.body + JSON.stringify(json)).not.toContain("secret detail");
});

test("a table that does not respond leads to 503 and the next request does not wait again", async () => {
  const { serviceTable } = await import("../../../shared/store/client.ts");
  const calls = interceptCalls(serviceTable());
  let reads = 0;
  const reading = Promise.withResolvers<void>();
  waits.until = reading.promise;
  calls.before = () => {
    reads++;
    reading.resolve();
    return new Promise(() => undefined);
  };
  expect((await request()).statusCode).toBe(503);
  expect(reads).toBe(1);
});

test("the incidents of the stage are shown, those of other stages and from long ago are not", async () => {
  const incident = (title: string, ended: string | null) => ({
    title,
    began: "2026-01-01T00:00:00Z",
    ended,
    updates: [{ date: "2026-01-01T00:05:00Z", text: "The cause is <known>." }],
  });
  incidents.text = JSON.stringify({
    prod: [
      incident("Slow & late", null),
      incident("Long ago", "2020-01-01T00:00:00Z"),
      { ...incident("Planned", null), began: "2999-01-01T00:00:00Z" },
    ],
    sandbox: [incident("Elsewhere", null)],
  });
  await countAges(table(), [], new Date());
  const { page, json } = await request();
  expect([json.status, json.incidents.map(({ title }) => title)]).toEqual(["incident", ["Planned", "Slow & late"]]);
  expect(page.body).toContain("<h3>Slow &amp; late</h3>");
  expect(page.body).toContain("The cause is &lt;known&gt;.");
});

test("an incident that begins later leaves the status as it is", async () => {
  const updates = [{ date: "2026-01-01T00:05:00Z", text: "The database gets a new version." }];
  incidents.text = JSON.stringify({
    prod: [{ title: "Planned", began: "2999-01-01T00:00:00Z", ended: "2999-01-01T01:00:00Z", updates }],
  });
  await countAges(table(), [], new Date());
  expect((await request()).json).toMatchObject({ status: "operational", incidents: [{ title: "Planned" }] });
});

test("a stage without a table shows no replication", async () => {
  vi.stubEnv("TABLE_NAME", undefined);
  expect((await request()).json).toMatchObject({ status: "operational", replication: null });
});

test("the release that responds is named", async () => {
  expect((await request()).json.release).toBe("local");
  vi.stubEnv("RELEASE", "1.0.0+3353537f8a1c");
  vi.resetModules();
  expect((await request()).json.release).toBe("1.0.0+3353537f8a1c");
});
