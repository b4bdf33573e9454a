import { expect, test } from "vitest";
import { rebuildLists } from "../../../../shared/domain/replication/rebuildLists.ts";
import { restartWrites } from "../../../../shared/domain/replication/restartWrites.ts";
import { PosError } from "../../../../shared/pos/connector.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { readSalesWeeks } from "../../../../shared/store/salesDays/salesWeek.ts";
import { storedEvents } from "../../../storedEvents.ts";
import { sampleCases } from "../../../thorough.ts";
import { crashAt, letCallsPass, writesOf } from "../../store/crashInjection.ts";
import { plainSale, ScriptedPos, voidSale } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(100), "2026-03-02T19:00:00.000Z");
const { table, calls, clock, pos, connection, owner, reset } = one;

async function run(now?: string): Promise<void> {
  if (now) clock.time = Date.parse(now) - 60_000;
  await one.runLater("sale");
}

/** The events of the CRB's sales days, as one text each. */
async function reported(): Promise<string[]> {
  return (await storedEvents(table(), owner)).flatMap(({ type, data }) => {
    if (type === "sales_day.completed") return [`${data.date} completed: ${data.records} for ${data.total_paid}`];
    return type === "sales_day.revised" ? [`${data.date} revised: ${data.revision}`] : [];
  });
}

/** Each stored day: its number of records, whether it was complete once, and its revision. */
async function days(): Promise<string[]> {
  const weeks = await readSalesWeeks(table(), recordList(connection.crbId, "sale").totalsPartition ?? "");
  const stored = weeks.flatMap((week) => [...week.days]);
  return stored.map(
    ([day, { figures, completedAt, revision }]) =>
      `${day}: ${figures.records}, ${completedAt ? `complete, ${revision}` : "open"}`,
  );
}

const sale = (id: string, date: string, version = 0) => plainSale(id, version, date, null);
const noonOfDays = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1, 20) + i * 86_400_000).toISOString());

test("the first full reading completes the days that are over, and no other", async () => {
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"), sale("2", "2026-03-01T20:00:00.000Z"));
  pos.put("sale", sale("3", "2026-03-02T18:00:00.000Z"));
  await run();
  expect(await days()).toEqual(["2026-02-27: 1, complete, 0", "2026-03-01: 1, complete, 0", "2026-03-02: 1, open"]);
  expect(await reported()).toEqual(["2026-02-27 completed: 1 for 1000", "2026-03-01 completed: 1 for 1000"]);
});

test("each later day is completed once, by the first run after its end, even if it has no sales", async () => {
  pos.put("sale", sale("1", "2026-03-02T18:00:00.000Z"));
  await run();
  // Denver is seven hours behind UTC.
  await run("2026-03-03T06:59:00.000Z");
  expect(await reported()).toEqual([]);
  await run("2026-03-03T07:00:06.000Z");
  await run();
  expect(await reported()).toEqual(["2026-03-02 completed: 1 for 1000"]);
  await run("2026-03-05T12:00:00.000Z");
  expect(await reported()).toEqual([
    "2026-03-02 completed: 1 for 1000",
    "2026-03-03 completed: 0 for 0",
    "2026-03-04 completed: 0 for 0",
  ]);
  expect(await days()).toEqual([
    "2026-03-02: 1, complete, 0",
    "2026-03-03: 0, complete, 0",
    "2026-03-04: 0, complete, 0",
  ]);
});

test.each([
  ["23 hours when daylight saving begins", "2026-03-09T05:59:00.000Z", "2026-03-09T06:00:06.000Z", "2026-03-08"],
  ["25 hours when daylight saving ends", "2026-11-02T06:59:00.000Z", "2026-11-02T07:00:06.000Z", "2026-11-01"],
])("a day has %s", async (_, before, after, day) => {
  await reset("Dutchie", `${day}T07:00:06.000Z`);
  pos.put("sale", sale("1", `${day}T20:00:00.000Z`));
  await run();
  await run(before);
  expect(await reported()).toEqual([]);
  await run(after);
  expect(await reported()).toEqual([`${day} completed: 1 for 1000`]);
});

test("no day is completed while the POS cannot be read; all are completed afterwards", async () => {
  pos.put("sale", sale("1", "2026-03-02T18:00:00.000Z"));
  await run();
  pos.beforePage = () => {
    throw new PosError("unreachable");
  };
  clock.time = Date.parse("2026-03-05T12:00:00.000Z");
  expect(await one.run("sale")).toMatchObject({ outcome: "failed" });
  expect(await reported()).toEqual([]);
  pos.beforePage = () => undefined;
  await run();
  expect(await reported()).toHaveLength(3);
});

test("no day is completed before the first full reading has finished", async () => {
  pos.pageSize = 1;
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"), sale("2", "2026-02-28T20:00:00.000Z"));
  const deadline = new Date(clock.time);
  expect(await one.run("sale", { deadline })).toMatchObject({ outcome: "unfinished" });
  expect(await days()).toEqual(["2026-02-27: 1, open"]);
  await run();
  expect(await reported()).toHaveLength(2);
});

test("changes of complete days are revisions, reported once for each run", async () => {
  pos.pageSize = 1;
  pos.put("sale", sale("1", "2026-03-01T20:00:00.000Z"), sale("2", "2026-03-01T21:00:00.000Z"));
  await run();
  const before = (await reported()).length;
  pos.put(
    "sale",
    sale("1", "2026-03-01T20:00:00.000Z", 5),
    voidSale(sale("2", "2026-03-01T21:00:00.000Z"), "2026-03-01T21:00:00.000Z"),
  );
  await run();
  await run();
  expect((await reported()).slice(before)).toEqual(["2026-03-01 revised: 2"]);
  pos.put("sale", sale("3", "2026-03-01T22:00:00.000Z"));
  await run();
  expect((await reported()).slice(before + 1)).toEqual(["2026-03-01 revised: 3"]);
  expect(await days()).toEqual(["2026-03-01: 3, complete, 3"]);
});

test("a sale that moves to another day revises both days", async () => {
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"), sale("2", "2026-03-01T20:00:00.000Z"));
  await run();
  const before = (await reported()).length;
  pos.put("sale", sale("1", "2026-03-01T20:00:00.000Z"));
  await run();
  expect((await reported()).slice(before)).toEqual(["2026-02-27 revised: 1", "2026-03-01 revised: 1"]);
  expect(await days()).toEqual(["2026-02-27: 0, complete, 1", "2026-03-01: 2, complete, 1"]);
});

test("the first sale of a past day without sales revises the day", async () => {
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"));
  await run();
  pos.put("sale", sale("2", "2026-01-15T20:00:00.000Z"));
  await run();
  expect((await reported()).slice(1)).toEqual(["2026-01-15 revised: 1"]);
  expect(await days()).toEqual(["2026-01-15: 1, complete, 1", "2026-02-27: 1, complete, 0"]);
});

test("of many days that become complete at the first reading, events report the newest 31", async () => {
  pos.put("sale", ...noonOfDays(60).map((date, i) => sale(String(i), date)));
  await run();
  const events = await reported();
  expect(events).toHaveLength(31);
  expect(events[0]).toBe("2026-01-30 completed: 1 for 1000");
  expect((await days()).filter((day) => day.endsWith("complete, 0"))).toHaveLength(60);
});

/** Runs in time slices of one page until a run ends. */
async function runInSlices(): Promise<void> {
  for (let outcome = "unfinished"; outcome === "unfinished"; ) {
    clock.advance(60_000);
    const deadline = new Date(clock.time);
    ({ outcome } = await one.run("sale", { deadline }));
    if (outcome === "unfinished") expect((await reported()).filter((event) => event.includes("revised"))).toEqual([]);
  }
}

const causes: [string, Parameters<typeof restartWrites>[2], string?][] = [
  ["a correction of old sales", undefined],
  ["another shop", { isNewSource: true }],
  ["another reading", { isFullRead: true }],
  ["another time zone", { isFullRead: true }, "America/New_York"],
  ["another time zone that no restart has noticed", undefined, "America/New_York"],
];
test.each(sampleCases(causes, 2))(
  "of many days that %s changes, the events at the end report the newest 31",
  async (_, restart, timezone) => {
    const dates = noonOfDays(60);
    pos.pageSize = 20;
    pos.put("sale", ...dates.map((date, i) => sale(String(i), date)));
    await run();
    const before = (await reported()).length;
    const moved = timezone ? 12 * 3_600_000 : 0;
    pos.put("sale", ...dates.map((date, i) => sale(String(i), new Date(Date.parse(date) - moved).toISOString(), 5)));
    if (restart) await table().transact(await restartWrites(table(), connection.crbId, restart));
    if (timezone) connection.timezone = timezone;
    await runInSlices();
    const events = (await reported()).slice(before);
    expect(events).toHaveLength(31);
    expect(events.map((event) => event.slice(0, 10))).toEqual(dates.slice(-31).map((date) => date.slice(0, 10)));
    await run();
    expect((await reported()).slice(before)).toEqual(events);
    pos.put("sale", sale("0", dates[0] ?? "", 7));
    await run();
    expect((await reported()).slice(before + 31)).toEqual([expect.stringContaining("2026-01-01 revised")]);
  },
);

test("a worker that is killed while it reports many days does not report more than 31", async () => {
  const dates = noonOfDays(40);
  const history = async (work: (step: () => Promise<void>) => Promise<void>) => {
    await reset();
    pos.put("sale", ...dates.map((date, i) => sale(String(i), date)));
    await run();
    pos.put("sale", ...dates.map((date, i) => sale(String(i), date, 5)));
    clock.time = Date.parse("2026-03-02T19:10:00.000Z");
    await work(async () => void (await one.run("sale").catch(() => {})));
    await run("2026-03-02T19:12:00.000Z");
    return (await reported()).filter((event) => event.includes("revised"));
  };
  let writes = 0;
  const expected = await history(async (step) => {
    writes = await writesOf(calls, step);
  });
  expect(expected).toHaveLength(31);
  // The last writes report the days and announce the changes.
  const lastWrites = [4, 3, 2, 1].map((left) => writes - left);
  for (const write of sampleCases(lastWrites, 1)) {
    const events = await history(async (step) => {
      crashAt(calls, write, "after");
      await step();
      letCallsPass(calls);
    });
    expect([write, events.toSorted()]).toEqual([write, expected.toSorted()]);
  }
});

test("no day is completed in another time zone while its full reading waits for confirmation", async () => {
  pos.put("sale", sale("1", "2026-03-01T20:00:00.000Z"));
  await run("2026-03-03T05:30:00.000Z");
  const before = (await reported()).length;
  // In New York, the second of March has ended. A faulty POS has no sales.
  await table().transact(await restartWrites(table(), connection.crbId, { isFullRead: true }));
  connection.timezone = "America/New_York";
  pos.afterPage = (page) => ({ ...page, records: [], total: 0, next: { watermark: "0" } });
  await run("2026-03-03T05:40:00.000Z");
  expect((await reported()).slice(before)).toEqual([]);
  pos.afterPage = (page) => page;
  await run("2026-03-03T05:50:00.000Z");
  expect((await reported()).slice(before)).toEqual(["2026-03-02 completed: 0 for 0", "2026-03-01 revised: 1"]);
});

test("uploaded sales complete no day", async () => {
  await reset("Manual Upload Retail");
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"));
  await run();
  expect(await days()).toEqual(["2026-02-27: 1, open"]);
});

test("the days of a list without totals are completed after its rebuild, with the totals of all sales", async () => {
  const list = recordList(connection.crbId, "sale");
  pos.pageSize = 1;
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"), sale("2", "2026-02-27T21:00:00.000Z"));
  expect(await one.run("sale", { deadline: clock.now() })).toMatchObject({ outcome: "unfinished" });
  const [index = expect.fail()] = await table().queryPartition(list.orders.rank.dayIndexPartition);
  const { digest: _, ...older } = index;
  await table().put(older);
  const weeks = await table().queryPartition(list.totalsPartition ?? "");
  await table().batchDelete(weeks.map(({ pk, sk }) => ({ pk, sk })));
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z", 5));
  await run();
  expect([await days(), await reported()]).toEqual([[], []]);
  await Array.fromAsync(rebuildLists(table(), connection.crbId, { clock }));
  await run();
  expect(await days()).toEqual(["2026-02-27: 2, complete, 0"]);
  expect(await reported()).toEqual(["2026-02-27 completed: 2 for 2005"]);
});

test("a rebuild reports no day twice", async () => {
  pos.put("sale", sale("1", "2026-02-27T20:00:00.000Z"), sale("2", "2026-03-01T20:00:00.000Z"));
  await run();
  const before = { events: await reported(), days: await days() };
  await Array.fromAsync(rebuildLists(table(), connection.crbId, { clock }));
  await run();
  expect({ events: await reported(), days: await days() }).toEqual(before);
  await run("2026-03-03T12:00:00.000Z");
  expect((await reported()).slice(2)).toEqual(["2026-03-02 completed: 0 for 0"]);
});
