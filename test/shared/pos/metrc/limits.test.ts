import { afterEach, expect, test } from "vitest";
import { maxReadingsPerState, readingShare } from "../../../../shared/pos/metrc/metrcApi.ts";
import { readStateDays } from "../../../../shared/pos/metrc/readStateDays.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { localDay } from "../../../../shared/time/localTime.ts";
import { FakeMetrc } from "../fakes/fakeMetrc.ts";

// The requests of one shop as large as the largest known one, counted against Metrc's limits (docs/pos/metrc.md#limits).

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** receipts of a month at the largest known shop */
const perDay = Math.ceil(9_800 / 30);
const readingsPerDay = 4;
const businesses = 10_000;

let metrc: FakeMetrc | undefined;
afterEach(() => metrc?.close());

/** The requests of a first reading, and the average of a later day. Receipts are finalized in the night after their sale. */
async function countRequests(days: number): Promise<{ first: number; daily: number }> {
  let now = Date.parse("2026-03-20T06:00:00.000Z");
  const shop = new FakeMetrc(1, () => new Date(now));
  metrc = shop;
  await shop.start();
  let id = 1;
  let soldUpTo = now - 33 * dayMs;
  const trade = () => {
    for (; soldUpTo < now; soldUpTo += dayMs / perDay) {
      const receipt = { soldAt: soldUpTo, modifiedAt: soldUpTo, cents: 4_000, type: "Consumer" as const };
      shop.facility.put({ id: id++, ...receipt, isFinal: false, archivedAt: null });
    }
    for (const receipt of shop.facility.receipts.values()) {
      const finalizedAt = Math.ceil(receipt.soldAt / dayMs) * dayMs + 9 * hourMs;
      if (receipt.isFinal || finalizedAt > now) continue;
      shop.facility.put({ ...receipt, isFinal: true, modifiedAt: finalizedAt });
    }
  };
  let since: string | null = null;
  const read = async () => {
    trade();
    const today = localDay(new Date(now), shop.access.timeZone);
    const range = { fromDate: addDays(today, -31), toDate: today, since, againFrom: null };
    const clock = { now: () => new Date(now), sleep: async () => undefined };
    const { asOf } = await readStateDays(
      { ...shop.access, ...range, remainingMs: () => 900_000 },
      { url: shop.url, clock, requestsPerSecond: Number.POSITIVE_INFINITY },
    );
    since = asOf;
  };
  await read();
  const first = shop.requests.length;
  for (let reading = 0; reading < days * readingsPerDay; reading++) {
    now += dayMs / readingsPerDay;
    await read();
  }
  return { first, daily: (shop.requests.length - first) / days };
}

test("10,000 of the largest shops in one state, read four times a day, stay within two thirds of its limits", async () => {
  const { first, daily } = await countRequests(1);
  // docs/pos/metrc.md states 600 and 300.
  expect(first).toBeLessThan(600);
  expect(daily).toBeLessThan(300);
  const perSecond = (businesses * daily) / 86_400;
  expect(perSecond).toBeLessThan(maxReadingsPerState * readingShare.requestsPerSecond);
});
