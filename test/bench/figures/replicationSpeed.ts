import { randomUUID } from "node:crypto";
import { createTable } from "../../../infra/local/createTable.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Item } from "../../../shared/store/client.ts";
import { type Bench, count } from "../bench.ts";
import { compare } from "../compare.ts";
import { createBusiness } from "../data/business.ts";
import { customerMaker } from "../data/records.ts";
import { makingPos } from "../memory/makingPos.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";
import { RememberingTable } from "../rememberingTable.ts";

/** Compares the first replication of a business's customers with bare transactions of the same items. */
export async function replicationSpeed(bench: Bench): Promise<void> {
  const records = 1_000;
  const { client } = bench.scratch.table;
  /** A new, empty table for every call, so that both variants find tables of the same size. */
  const emptyTable = async () => {
    const table = new RememberingTable(`replication-${randomUUID()}`, client);
    await createTable(client, table.name);
    return table;
  };
  let { written } = await emptyTable();
  bench.progress("Timing replication");
  const { milliseconds, ratio } = await compare(
    {
      replication: async () => {
        const table = await emptyTable();
        const { connection } = await createBusiness(table);
        const pos = makingPos(records, await customerMaker(connection));
        const result = await replicate(table, connection, pos, "customer");
        if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
        written = table.written;
      },
      bare: async () => {
        const table = await emptyTable();
        const puts = written.map((writes) => writes.flatMap(({ Put }) => (Put?.Item ? [Put.Item as Item] : [])));
        // Some transactions only update existing items.
        for (const items of puts.filter(({ length }) => length > 0))
          await table.transact(items.map((item) => table.putWrite(item)));
      },
    },
    { rounds: 9, warmUp: 1 },
  );
  const name = "Replication of customers from an in-process source";
  bench.figure(`${name}: speed`, (records / milliseconds.replication) * 1_000, "records a second");
  bench.figure(`${name}: against bare transactions of the same items`, ratio("bare", "replication"), "times", {
    atLeast: 0.75,
  });
}

/**
 * Measures the worker's memory and speed while it replicates a whole list of a kind for the first time. See also `vanished`.
 */
export function workerMemory(kind: "customer" | "sale") {
  return async (bench: Bench): Promise<void> => {
    bench.progress(`Replicating ${count(bench.records)} records in a process of its own, ${kind}`);
    const { connection } = await createBusiness(bench.scratch.table);
    const started = performance.now();
    const { peak } = await peakMemoryOf(
      new URL("../memory/replicationWorker.ts", import.meta.url),
      { connection, kind, records: bench.records },
      bench.scratch.environment,
    );
    const seconds = (performance.now() - started) / 1_000;
    const name = `Worker that replicates ${count(bench.records)} records, ${kind}`;
    bench.figure(`${name}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
    bench.figure(`${name}: speed`, bench.records / seconds, "records a second");
  };
}
