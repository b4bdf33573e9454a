import { restoreCrb } from "../../../shared/domain/restoration/restoreCrb.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { costOf } from "../capacity.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Restores a closed business alone in its process. Prints the records that were read, the seconds, the processor seconds, the
// round trips and units, and the peak memory.

const { crbId } = JSON.parse(process.argv[2] ?? "{}") as { crbId: string };
const table = serviceTable();
const started = performance.now();
const before = process.cpuUsage();
const { result, ...cost } = await costOf(table.client, () =>
  restoreCrb(table, crbId, { heldUntil: new Date(Date.now() + 3_600_000) }),
);
const { user, system } = process.cpuUsage(before);
if (result.outcome !== "opened") throw new Error(`the business is ${result.outcome}`);
const seconds = (performance.now() - started) / 1_000;
tellPeakMemory({ ...cost, records: result.records, seconds, processorSeconds: (user + system) / 1e6 });
process.exit();
