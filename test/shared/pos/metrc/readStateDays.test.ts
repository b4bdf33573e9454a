import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "../../../../shared/platform/aws/log.ts";
import { readStateDays, type StateDaysRequest } from "../../../../shared/pos/metrc/readStateDays.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { FakeMetrc } from "../fakes/fakeMetrc.ts";

const hourMs = 3_600_000;
let now: Date;
let metrc: FakeMetrc;

beforeEach(async () => {
  now = new Date("2026-03-20T18:30:00.000Z");
  metrc = new FakeMetrc(1, () => now);
  await metrc.start();
});
afterEach(() => metrc.close());

const clock = { now: () => now, sleep: () => systemClock.sleep(0) };
const read = (more: Partial<StateDaysRequest> = {}) =>
  readStateDays(
    {
      ...metrc.access,
      fromDate: "2026-03-01",
      toDate: "2026-03-20",
      since: null,
      againFrom: null,
      remainingMs: () => 600_000,
      ...more,
    },
    { url: metrc.url, clock, firstPauseMs: 1, requestsPerSecond: Number.POSITIVE_INFINITY },
  );

const figures = (days: readonly { date: string }[]) =>
  days.map(({ digest: _, complete: __, dataAsOf: ___, ...rest }: Record<string, unknown>) => rest);
const expected = (days: readonly { date: string }[]) => days.map(({ date }) => metrc.figuresOf(date));

test("the first reading returns all days with their totals", async () => {
  metrc.fill(40, 15);
  const { days, asOf, unreadFrom } = await read();
  expect(days).toHaveLength(20);
  expect(figures(days)).toEqual(expected(days));
  expect(days.map(({ complete }) => complete)).toEqual([...Array(19).fill(true), false]);
  expect({ asOf, unreadFrom }).toEqual({ asOf: now.toISOString(), unreadFrom: null });
});

/** Changes receipts before each response of a list. Time passes meanwhile. */
const changeBefore = (list: RegExp, change: () => void) => {
  metrc.beforeAnswer = ({ path }) => {
    now = new Date(now.getTime() + 1_000);
    if (list.test(path)) change();
  };
};

test("each request names the license, a window, and a page of 20", async () => {
  metrc.fill(10, 45);
  await read();
  const requests = metrc.requestsFor(/receipts/);
  expect(requests.length).toBeGreaterThan(20);
  for (const { query } of requests) {
    const [start, end] = ["lastModifiedStart", "lastModifiedEnd"].map((name) => Date.parse(query.get(name) ?? ""));
    expect(query.get("licenseNumber")).toBe("402R-00001");
    expect(query.get("pageSize")).toBe("20");
    expect(end).toBeGreaterThan(start ?? Number.NaN);
  }
});

test.each([true, false])(
  "receipts that are finalized while lists are read count once (with a new date: %s)",
  async (moves) => {
    metrc.fill(20, 15);
    metrc.facility.habits = { keepsDateWhenFinal: !moves, isBare: !moves, isNewestFirst: true };
    let open = 0;
    changeBefore(/receipts\/active/, () => {
      for (const receipt of metrc.facility.receipts.values()) {
        if (receipt.isFinal || receipt.archivedAt !== null || open++ % 8 > 0) continue;
        metrc.facility.put({ ...receipt, isFinal: true, ...(moves && { modifiedAt: now.getTime() }) });
      }
    });
    const { days } = await read();
    expect(figures(days)).toEqual(expected(days));
  },
);

test("receipts that change while pages are read make no other receipt disappear", async () => {
  metrc.fill(20, 30);
  let next = 0;
  changeBefore(/receipts/, () => {
    const receipt = [...metrc.facility.receipts.values()][next++ * 7];
    if (receipt) metrc.facility.put({ ...receipt, modifiedAt: now.getTime() });
  });
  const { days } = await read();
  expect(figures(days)).toEqual(expected(days));
  expect(days.filter(({ complete }) => complete)).toHaveLength(19);
});

test.each([
  [24, 1],
  [100, 4.2],
])("a state that cuts windows longer than %i hours is read in shorter ones", async (hours, most) => {
  metrc.fill(40, 40);
  metrc.facility.habits = { maxWindowMs: hours * hourMs };
  const { days } = await read();
  expect(figures(days)).toEqual(expected(days));
  // Windows of several pages are read, not only compared.
  const lengths = metrc.requestsFor(/inactive/).flatMap(({ query }) => {
    const [start, end] = ["lastModifiedStart", "lastModifiedEnd"].map((name) => Date.parse(query.get(name) ?? ""));
    return query.get("pageNumber") === "1" ? [] : [((end ?? 0) - (start ?? 0)) / (24 * hourMs)];
  });
  expect(Math.max(...lengths)).toBeLessThanOrEqual(most);
});

test("a state that returns long windows needs fewer requests", async () => {
  metrc.fill(40, 6);
  metrc.facility.habits = { maxWindowMs: 24 * hourMs };
  await read();
  const narrow = metrc.requests.length;
  metrc.facility.habits = {};
  const { days } = await read();
  expect(figures(days)).toEqual(expected(days));
  expect(metrc.requests.length - narrow).toBeLessThan(narrow * 0.7);
});

test("lists without totals, and keys in camelCase, are read", async () => {
  metrc.fill(25, 10);
  metrc.facility.habits = { isBare: true, isCamelCase: true };
  const { days } = await read();
  expect(figures(days)).toEqual(expected(days));
});

test("a later reading returns the days from the earliest one with a change", async () => {
  metrc.fill(30, 30);
  const { asOf } = await read();
  const voided = [...metrc.facility.receipts.values()].find(
    ({ soldAt }) => soldAt > Date.parse("2026-03-12T18:00:00Z"),
  );
  now = new Date(now.getTime() + hourMs);
  if (voided) metrc.facility.put({ ...voided, archivedAt: now.getTime() - 60_000, modifiedAt: now.getTime() - 60_000 });
  const { days } = await read({ since: asOf });
  expect(days[0]?.date).toBe("2026-03-12");
  expect(figures(days)).toEqual(expected(days));
  now = new Date(now.getTime() + hourMs);
  expect((await read({ since: now.toISOString(), againFrom: "2026-03-17" })).days[0]?.date).toBe("2026-03-17");
  expect((await read({ since: now.toISOString() })).days.map(({ date }) => date)).toEqual(["2026-03-20"]);
});

test("a reading whose time ends returns the newest days, and names the first of the others", async () => {
  metrc.fill(30, 60);
  let requests = 0;
  const { days, unreadFrom } = await read({ remainingMs: () => 100_000 - 1_500 * requests++ });
  expect(days.length).toBeGreaterThan(2);
  expect(days.length).toBeLessThan(19);
  expect(figures(days)).toEqual(expected(days));
  expect(unreadFrom).toBe("2026-03-01");
});

test("a receipt that cannot be read makes its day incomplete", async () => {
  metrc.fill(10, 5);
  metrc.rewrite = (body) =>
    JSON.parse(JSON.stringify(body).replace(/(2026-03-15T[^}]*"TotalPrice":)[0-9.]+/, '$1"unknown"'));
  const { days } = await read();
  expect(days.filter(({ complete }) => !complete).map(({ date }) => date)).toEqual(["2026-03-15", "2026-03-20"]);
});

test("a later reading returns the days of changed receipts that cannot be read", async () => {
  metrc.fill(30, 30);
  const { asOf } = await read();
  now = new Date(now.getTime() + hourMs);
  const old = [...metrc.facility.receipts.values()].find(({ soldAt }) => soldAt > Date.parse("2026-03-12T18:00:00Z"));
  if (old) metrc.facility.put({ ...old, modifiedAt: now.getTime() - 60_000 });
  const change = (pattern: RegExp, text: string) => {
    metrc.rewrite = (body) => JSON.parse(JSON.stringify(body).replace(pattern, text));
  };
  change(/(2026-03-12T[^}]*"TotalPrice":)[0-9.]+/g, '$1"unknown"');
  const { days } = await read({ since: asOf });
  expect(days[0]).toMatchObject({ date: "2026-03-12", complete: false });
  change(/"SalesDateTime":"2026-03-12T[^"]*"/g, '"SalesDateTime":"unknown"');
  const unknown = await read({ since: asOf });
  expect(unknown.days[0]).toMatchObject({ date: "2026-03-01", complete: false });
});

const html = { kind: "answer", answer: { status: 401, body: "<html>Plantedpatient</html>" } } as const;

test.each([
  ["notPermitted", /receipts/],
  ["credentialsRefused", /./],
])("the failure is %s if 401 comes for %s", async (failure, path) => {
  metrc.faults = (request) => (path.test(request.path) ? html : undefined);
  await expect(read()).rejects.toMatchObject({ failure });
});

test("a license that the key does not reach is a location that is gone", async () => {
  await expect(read({ licenseNumber: "402R-00002" })).rejects.toMatchObject({ failure: "locationGone" });
});

test("no name, number or key leaves the reader, neither in results nor in errors nor in the log", async () => {
  let printed = "";
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      printed += String(chunk);
      return true;
    }),
  );
  log.setLogLevel("DEBUG");
  metrc.fill(10, 30);
  const texts = [JSON.stringify(await read())];
  metrc.faults = ({ number }) => (number % 2 ? html : { kind: "answer", answer: { body: '[{"Plantedpatient"' } });
  await read().catch((error: Error) => texts.push(`${error.stack} ${JSON.stringify(error)}`));
  log.setLogLevel("SILENT");
  for (const spy of spies) spy.mockRestore();
  expect(texts).toHaveLength(2);
  expect(printed).toMatch(/receipts/);
  expect([...texts, printed].join("\n")).not.toMatch(/planted|402R|user\/key|vendor\+key|dmVuZG9y/i);
});
