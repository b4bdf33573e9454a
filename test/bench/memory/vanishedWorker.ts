import { type ReplicationResult, replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Connection, Connector } from "../../../shared/pos/connector.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import type { RecordMaker } from "../data/records.ts";
import { makingPos } from "./makingPos.ts";
import { replicateShop } from "./stock.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the replication worker alone in its process, with all inventory of a business and then with a tenth of it gone. Each
// run continues in another time slice whenever its time is up, and once more after it has read everything.

const { connection, records } = JSON.parse(process.argv[2] ?? "{}") as { connection: Connection; records: number };
/** The length of a time slice, which makes some dozens of slices in the first run. */
const milliseconds = records / 5;
const make = await replicateShop(connection);
const gone = Math.floor(records / 10);
await replicated(records, make, { created: records });
const left: RecordMaker<"inventory"> = (index, version) => make(index + Math.floor(index / 9), version);
const workers = await replicated(records - gone, left, { changed: gone });
tellPeakMemory({ gone, workers });

/**
 * Replicates until nothing is left to do.
 * @returns the number of time slices
 */
async function replicated(total: number, make: RecordMaker<"inventory">, expected: object): Promise<number> {
  const pos = makingPos(total, make);
  let deadline = new Date();
  let hasReadAll = false;
  const pull: Connector["pull"] = async (connection, request) => {
    const page = await pos.pull(connection, request);
    if ("watermark" in page.next && !hasReadAll) {
      hasReadAll = true;
      deadline.setTime(Date.now());
    }
    return page;
  };
  for (let workers = 1; ; workers++) {
    deadline = new Date(Date.now() + milliseconds);
    const result = await replicate(serviceTable(), connection, { ...pos, pull }, "inventory", { deadline });
    if (result.outcome === "unfinished") continue;
    if (workers === 1 || !isAs(result, expected)) throw new Error(JSON.stringify({ workers, result }));
    return workers;
  }
}

function isAs(result: ReplicationResult, expected: object): boolean {
  const all = { outcome: "finished", created: 0, changed: 0, ...expected };
  return Object.entries(all).every(([name, value]) => result[name as keyof ReplicationResult] === value);
}
