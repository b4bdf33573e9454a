import { expect, test } from "vitest";
import { nextRereadDays } from "../../../../shared/pos/framework/rereadRecentDays.ts";
import { addDays } from "../../../../shared/time/addDays.ts";

const today = "2026-06-01";
/** The store opened on this day, and sold on each day since. */
const opened = "2026-01-01";

/** The days that one pull reads, and its watermark. */
async function pull(since: string | null, now: string, windowDays: number) {
  const days = new Set<string>();
  const fetch = async (from: string, to: string, index: number) => {
    const rows: { id: string }[] = [];
    for (let day = from; index === 0 && day <= to; day = addDays(day, 1)) {
      days.add(day);
      if (day >= opened && day <= now.slice(0, 10)) rows.push({ id: day });
    }
    return { rows };
  };
  const list = { windowDays, idField: "id", pageSize: 100, rereadDays: 7, fetch };
  for (let position: string | null = null; ; ) {
    const request = { kind: "sale", since, position, now: new Date(now) } as const;
    const { next } = await nextRereadDays({ request, date: null, timezone: "UTC" }, list, 60);
    if ("watermark" in next) return { days: [...days].sort(), watermark: next.watermark };
    position = next.position;
  }
}

test.each([6, 30])("each night reads a month more of the older history, in windows of %i days", async (windowDays) => {
  const first = await pull(null, `${today}T12:00:00Z`, windowDays);
  expect(first.days[0]?.localeCompare(opened)).toBe(-1);
  const soon = await pull(first.watermark, `${today}T13:00:00Z`, windowDays);
  expect(soon.days[0]).toBe(addDays(today, -8));
  let { watermark } = first;
  const months: number[] = [];
  for (let night = 1; night <= 5; night++) {
    const found = await pull(watermark, `${addDays(today, night)}T12:00:00Z`, windowDays);
    const from: string = JSON.parse(watermark).older ?? addDays(today, night - 35);
    const { older } = JSON.parse(found.watermark);
    expect(found.days).toContain(addDays(from, -28));
    if (older) months.push((Date.parse(from) - Date.parse(older)) / 86_400_000);
    // The oldest month has been read, so the next night begins again.
    else expect(found.days[0]?.localeCompare(opened)).toBe(-1);
    watermark = found.watermark;
  }
  expect(months).toEqual([30, 30, 30, 30]);
});
