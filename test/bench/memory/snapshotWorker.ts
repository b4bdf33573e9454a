import { keepDailySnapshots } from "../../../shared/domain/inventory/keepDailySnapshots.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import type { Fence } from "../../../shared/store/orderedList/fence.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { costOf } from "../capacity.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Stores the daily snapshot of a location alone in its process. Prints the units, the time in seconds, and its peak memory.

const { crbId, fence, day, today } = JSON.parse(process.argv[2] ?? "{}") as {
  crbId: string;
  fence: Fence;
  day: string;
  today: string;
};
const table = serviceTable();
const started = performance.now();
const { readUnits, writeUnits } = await costOf(table.client, () =>
  keepDailySnapshots({ table, crbId, fence, clock: systemClock }, day, today),
);
tellPeakMemory({ readUnits, writeUnits, seconds: (performance.now() - started) / 1_000 });
process.exit();
