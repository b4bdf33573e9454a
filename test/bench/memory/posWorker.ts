import { setTimeout } from "node:timers/promises";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { type ReplicationResult, replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Connection, Connector } from "../../../shared/pos/connector.ts";
import { findConnector } from "../../../shared/pos/findConnector.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the replication worker alone in its process, with all records that a business has in the POS of the environment. If
// `stores` is false, each page is emptied after it is read, and everything else is as in any run.

const { connection, expected, stores, milliseconds } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  /** number of records of each kind */
  expected: Record<RecordKind, number>;
  stores: boolean;
  /** length of a time slice, in milliseconds; without a limit if absent */
  milliseconds?: number;
};
const found = findConnector(connection.posType);
if (!found) throw new Error(`no connector for ${connection.posType}`);
const maxFailures = 5;
let read = 0;
const connector: Connector = {
  ...found,
  pull: async (of, request) => {
    const page = await found.pull(of, request);
    read += page.records.length;
    return stores ? page : { ...page, records: [] };
  },
};
const began = performance.now();
let all = 0;
for (const kind of recordKinds) {
  read = 0;
  const result = await finished(kind);
  if (!("created" in result)) throw new Error(JSON.stringify({ kind, ...result }));
  // A fake POS also has rows that are rejected. A later time slice may read some rows again.
  const isAll = stores ? result.created === expected[kind] : read >= expected[kind];
  if (!isAll) throw new Error(JSON.stringify({ ...result, kind, expected: expected[kind], read }));
  all += expected[kind];
}
tellPeakMemory({ records: all, seconds: (performance.now() - began) / 1_000 });

/** Runs until a run finishes. It tries again after a request that took too long on a busy machine, as the queue does. */
async function finished(kind: RecordKind): Promise<ReplicationResult> {
  for (let failures = 0; ; ) {
    const options = milliseconds ? { deadline: new Date(Date.now() + milliseconds) } : {};
    const result = await replicate(serviceTable(), connection, connector, kind, options);
    if (result.outcome === "unfinished") continue;
    const isUnreachable = result.outcome === "failed" && result.failure === "unreachable";
    if (!isUnreachable || ++failures >= maxFailures) return result;
    await setTimeout(Math.max(0, result.retryAt.getTime() - Date.now()));
  }
}
