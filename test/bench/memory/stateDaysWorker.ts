import { readStateDays, type StateDaysRequest } from "../../../shared/pos/metrc/readStateDays.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Reads the days of a license in Metrc alone in its process. Prints the sums of the days, the time in seconds, and its peak memory.

const { request, url } = JSON.parse(process.argv[2] ?? "{}") as {
  request: Omit<StateDaysRequest, "remainingMs">;
  url: string;
};
const began = performance.now();
const { days, unreadFrom } = await readStateDays(
  { ...request, remainingMs: () => Number.POSITIVE_INFINITY },
  { url, requestsPerSecond: Number.POSITIVE_INFINITY },
);
tellPeakMemory({
  receipts: days.reduce((sum, day) => sum + day.receipts, 0),
  total: days.reduce((sum, day) => sum + day.total, 0),
  complete: days.filter(({ complete }) => complete).length,
  unreadFrom,
  seconds: (performance.now() - began) / 1_000,
});
