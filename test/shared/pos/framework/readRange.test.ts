import { expect, test } from "vitest";
import type { PullRequest } from "../../../../shared/pos/connector.ts";
import {
  computeReadEnd,
  computeReadStart,
  createLastPage,
  planReadRange,
  usableWatermark,
} from "../../../../shared/pos/framework/readRange.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
const at = (text: string) => new Date(`2026-03-${text}Z`);

test.each<[string, Date | null, Date | undefined, string]>([
  ["the pull's start", null, undefined, "2026-03-10T12:00:00.000Z"],
  ["the pull's start, if the POS's clock is ahead", at("10T13:00"), undefined, "2026-03-10T12:00:00.000Z"],
  ["the POS's time, if its clock is behind", at("10T11:00"), undefined, "2026-03-10T11:00:00.000Z"],
  ["the time to which other kinds are caught up", null, at("10T10:00"), "2026-03-10T10:00:00.000Z"],
  ["that time, by the POS's clock", at("10T11:00"), at("10T10:00"), "2026-03-10T09:00:00.000Z"],
  ["no later time", null, at("11T10:00"), "2026-03-10T12:00:00.000Z"],
  ["at most a day earlier", at("01T00:00"), undefined, "2026-03-09T12:00:00.000Z"],
  ["at most a day earlier", null, new Date(0), "2026-03-09T12:00:00.000Z"],
])("a pull has read up to %s", (_, date, caughtUpTo, expected) => {
  expect(computeReadEnd({ now, caughtUpTo }, date)).toBe(expected);
});

test("the next pull starts a quarter of an hour earlier", () => {
  expect(computeReadStart("2026-03-10T12:00:00.000Z").toISOString()).toBe("2026-03-10T11:45:00.000Z");
});

const watermark = { upTo: "2026-03-10T11:00:00.000Z", full: "2026-03-01T00:00:00.000Z" };

test.each<[string, string | null, object | null]>([
  ["the last watermark", JSON.stringify(watermark), watermark],
  ["no watermark", null, null],
  ["another form", '{"upTo":"yesterday"}', null],
  ["not JSON", "2026-03-10", null],
  ["a watermark that is too old", JSON.stringify({ ...watermark, upTo: "2026-02-10T11:59:59.000Z" }), null],
])("a watermark is usable or not: %s", (_, since, expected) => {
  expect(usableWatermark(since, now)).toEqual(expected);
});

test.each<[number | null, boolean]>([
  [7, true],
  [9, true],
  [10, false],
  [null, false],
])("with a full reading every %s days, everything is read again: %s", (days, isFull) => {
  const request = { now, since: JSON.stringify(watermark) } as PullRequest<"product">;
  const reach = planReadRange(request, null, days);
  expect(reach.mark).toEqual(isFull ? null : watermark);
  expect(JSON.parse(createLastPage(reach).watermark)).toEqual({
    upTo: now.toISOString(),
    full: isFull ? now.toISOString() : watermark.full,
  });
});

const reach = (since: string | null, caughtUpTo: Date) =>
  planReadRange({ now, since, caughtUpTo } as PullRequest<"sale">, null, null);

test("a kind that was read before the kinds that complete it is read again once these are caught up, and not before", () => {
  const never = new Date(0);
  const pull = (since: string | null, caughtUpTo: Date) => {
    const range = reach(since, caughtUpTo);
    return { isFull: range.mark === null, ...createLastPage(range) };
  };
  const first = pull(null, never);
  const second = pull(first.watermark, never);
  expect(second.isFull).toBe(false);
  const third = pull(second.watermark, at("10T10:00"));
  expect(third.isFull).toBe(true);
  // The records that complete the sales were missing before, so no time is reported until they are read.
  expect([first, second, third].map(({ asOf }) => asOf)).toEqual([
    never.toISOString(),
    never.toISOString(),
    at("10T10:00").toISOString(),
  ]);
  expect(pull(third.watermark, at("10T11:00")).isFull).toBe(false);
});

test("a kind that waited only for a few days is read again from there, not from the beginning", () => {
  const stuck = at("07T12:00");
  const waiting = createLastPage(reach(JSON.stringify(watermark), stuck)).watermark;
  expect(reach(waiting, stuck).mark?.upTo).toBe(at("09T12:00").toISOString());
  const next = reach(waiting, at("10T10:00"));
  expect(next.mark).toEqual({ upTo: stuck.toISOString(), full: watermark.full });
  expect(JSON.parse(createLastPage(next).watermark)).toEqual({
    upTo: at("10T10:00").toISOString(),
    full: watermark.full,
  });
});

test("a full reading while other kinds were more than a day behind is repeated once these are caught up", () => {
  // A customer that was missed in the reading of the 9th can be in a sale of any age.
  const full = createLastPage(reach(null, at("09T10:00")));
  expect(full.asOf).toBe(new Date(0).toISOString());
  expect(reach(full.watermark, at("10T10:00")).mark).toBeNull();
  // Within a day, the next pulls read the changes since then.
  const soon = createLastPage(reach(null, at("10T10:00")));
  expect(reach(soon.watermark, at("10T11:00")).mark?.upTo).toBe(at("10T10:00").toISOString());
});
