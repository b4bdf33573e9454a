import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { packDays, unpackDays } from "../../../../shared/store/orderedList/dayIndex.ts";

test("the active count of a day is stored only if the day has empty slots", () => {
  const days = new Map([
    ["2026-03-15", { allocated: 500, active: 500 }],
    ["2026-03-16", { allocated: 500, active: 0 }],
  ]);
  const packed = packDays(days);
  expect(inflateRawSync(packed).toString()).toBe('{"03-15":[500],"03-16":[500,0]}');
  expect(unpackDays("2026", packed)).toEqual(days);
});
