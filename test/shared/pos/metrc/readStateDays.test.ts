import { afterEach, beforeEach, expect, test } from "vitest";
import { readStateDays, type StateDaysRequest } from "../../../../shared/pos/metrc/readStateDays.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { FakeMetrc } from "../fakes/fakeMetrc.ts";

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
  metrc.fill(40, 60);
  const { days, asOf, unreadFrom } = await read();
  expect(days).toHaveLength(20);
  expect(figures(days)).toEqual(expected(days));
  expect(days.map(({ complete }) => complete)).toEqual([...Array(19).fill(true), false]);
  expect({ asOf, unreadFrom }).toEqual({ asOf: now.toISOString(), unreadFrom: null });
});

test("each request names the license, a window, and a page of 20", async () => {
  metrc.fill(10, 60);
  await read();
  const requests = metrc.requestsFor(/receipts/);
  expect(requests.length).toBeGreaterThan(20);
  for (const { query } of requests) {
    expect(query.get("licenseNumber")).toBe("402R-00001");
    expect(query.get("pageSize")).toBe("20");
    expect(Date.parse(query.get("lastModifiedEnd") ?? "")).toBeGreaterThan(
      Date.parse(query.get("lastModifiedStart") ?? ""),
    );
  }
});
