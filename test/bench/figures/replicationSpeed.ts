import { randomUUID } from "node:crypto";
import { type TransactWriteItem, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { createTable } from "../../../infra/local/createTable.ts";
import { replicate } from "../../../shared/replication/replicate.ts";
import { Table } from "../../../shared/table/client.ts";
import { type Bench, count } from "../bench.ts";
import { compare } from "../compare.ts";
import { createBusiness } from "../data/business.ts";
import { customerMaker } from "../data/records.ts";
import { makingPos } from "../memory/makingPos.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/** A table that remembers what was written to it. */
class RememberingTable extends Table {
  readonly written: TransactWriteItem[][] = [];

  override async transact(writes: TransactWriteItem[]): Promise<void> {
    this.written.push(writes);
    await super.transact(writes);
  }
}

/** The first replication of a business's customers, against bare transactions of the same items. */
export async function replicationSpeed(bench: Bench): Promise<void> {
  const records = Math.min(bench.records, 5_000);
  const table = new RememberingTable(bench.table.name, bench.table.client);
  bench.progress("Timing replication");
  const { milliseconds, ratio } = await compare(
    {
      replication: async () => {
        const { connection } = await createBusiness(bench.table);
        table.written.length = 0;
        const result = await replicate(
          table,
          connection,
          makingPos(records, await customerMaker(connection)),
          "customer",
        );
        if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
      },
      bare: async () => {
        const TableName = `bare-${randomUUID()}`;
        await createTable(table.client, TableName);
        for (const transaction of table.written) {
          const items = transaction.flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));
          const TransactItems = items.map((Item) => ({ Put: { TableName, Item } }));
          await table.client.send(new TransactWriteItemsCommand({ TransactItems }));
        }
      },
    },
    { rounds: 5, warmUp: 1 },
  );
  const name = "Replication of customers from an in-process source";
  bench.figure(`${name}: speed`, (records / milliseconds.replication) * 1_000, "records a second");
  bench.figure(`${name}: against bare transactions of the same items`, ratio("bare", "replication"), "times", {
    atLeast: 0.6,
  });
}

/** The worker's memory while it replicates a whole list for the first time. */
export async function workerMemory(bench: Bench): Promise<void> {
  for (const kind of ["customer", "inventory"] as const) {
    bench.progress(`Replicating ${count(bench.records)} records in a process of its own, ${kind}`);
    const { connection } = await createBusiness(bench.table);
    const { peak } = await peakMemoryOf(new URL("../memory/replicationWorker.ts", import.meta.url), {
      connection,
      kind,
      records: bench.records,
    });
    bench.figure(
      `Worker that replicates ${count(bench.records)} records, ${kind}: peak resident memory`,
      peak / 1024 ** 2,
      "MB",
      { atMost: 256 },
    );
  }
}
