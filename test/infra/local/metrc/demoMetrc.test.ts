import { afterAll, beforeAll, expect, test } from "vitest";
import { demoBusinesses, demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { close, portOf } from "../../../../infra/local/listen.ts";
import { DemoMetrc } from "../../../../infra/local/metrc/demoMetrc.ts";
import { demoMetrcAccess } from "../../../../infra/local/metrc/demoMetrcAccess.ts";
import { startMetrc } from "../../../../infra/local/metrc/startMetrc.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import { readStateDays } from "../../../../shared/pos/metrc/readStateDays.ts";
import { verifyMetrcKey } from "../../../../shared/pos/metrc/verifyMetrcKey.ts";
import { openConnection } from "../../../../shared/pos/openConnection.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { localDay } from "../../../../shared/time/localTime.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
const now = new Date();
const { sandboxTickSeconds } = stages.local;
const { timeZone, ...keys } = demoMetrcAccess;
const access = { state: "CO" as const, ...keys };
let server: Awaited<ReturnType<typeof startMetrc>>;
let url: string;

beforeAll(async () => {
  const [{ record }] = demoBusinesses as [(typeof demoBusinesses)[number]];
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: now.toISOString() };
  const whole = { ...crbRecord(record.id), ...record };
  await createCrb(table(), { record: whole, serviceProviderId: demoServiceProvider.id, connection });
  server = await startMetrc(0, new DemoMetrc(table(), sandboxTickSeconds));
  url = `http://127.0.0.1:${portOf(server)}`;
});
afterAll(() => close(server));

/** The totals of the sales in the simulated POS, by day. */
async function posTotals(): Promise<Map<string, number>> {
  const crb = (await readCrb(table(), demoBusinesses[0]?.record.id ?? "")) ?? expect.fail("no CRB");
  const connection = (await openConnection(table(), crb)) ?? expect.fail("no connection");
  const connector = sandboxConnector(sandboxTickSeconds);
  const totals = new Map<string, number>();
  for (let position: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof connector.pull<"sale">>> = await connector.pull(connection, {
      ...{ kind: "sale", since: null, position, now },
    });
    for (const { date, total_paid } of page.records) {
      const day = localDay(new Date(date), timeZone);
      totals.set(day, (totals.get(day) ?? 0) + (total_paid ?? 0));
    }
    if ("watermark" in page.next) return totals;
    position = page.next.position;
  }
}

test("the state's days have the totals of the demo's sales, except on one day", async () => {
  const today = localDay(now, timeZone);
  const { days } = await readStateDays(
    {
      ...access,
      ...{ timeZone, fromDate: addDays(today, -20), toDate: today, since: null, againFrom: null },
      remainingMs: () => 600_000,
    },
    { url, requestsPerSecond: Number.POSITIVE_INFINITY },
  );
  const totals = await posTotals();
  const varied = days.filter(({ date, total }) => total !== (totals.get(date) ?? 0));
  expect(days).toHaveLength(21);
  expect(varied.map(({ date }) => date)).toEqual([addDays(today, -4)]);
  expect(varied[0]?.total).toBeGreaterThan(0);
});

test("the demo's key is accepted, and another one is not", async () => {
  expect(await verifyMetrcKey(access, { url })).toMatchObject({ reason: "permissions" });
  expect(await verifyMetrcKey({ ...access, userKey: "other" }, { url })).toMatchObject({ reason: "key" });
});
