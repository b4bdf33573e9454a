import type { RecordKind } from "../../../shared/api/kinds.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { RecordToWrite } from "../../../shared/store/orderedList/recordWriter.ts";
import type { Bar, Bench } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { createBusiness, standingFence } from "../data/business.ts";
import { daysAgo, indexes, noonOf, writeAll } from "../data/fill.ts";
import { customerMaker, emailOf } from "../data/records.ts";
import { shopSaleMaker } from "../data/shopSales.ts";

/** The number of records. The units of a record do not depend on it. */
const records = 1_000;

/** Measures the write units of records with all their search values, in pages of 250 records as a POS returns them. */
export async function searchUnits(bench: Bench): Promise<void> {
  const { connection } = await createBusiness(bench.scratch.table);
  const customerOf = await openCustomers(connection);
  const write = await openList(bench, connection.crbId, "customer");
  await write("new", 4, (index) => customerOf(index, 0), { atMost: 12 });
  await write("changed, with the same search values", 3, (index) => customerOf(index, 1), { atMost: 4.5 });
  await write("changed, with another e-mail address", 2, (index) => customerOf(index, 1, index + records), {
    atMost: 8.7,
  });

  const saleOf = await shopSaleMaker(connection);
  const writeSales = await openList(bench, connection.crbId, "sale");
  await writeSales("new", 4, (index) => saleOf(index, daysAgo(5), 0), { atMost: 9 });
  await writeSales("changed, with the same search values", 3, (index) => saleOf(index, daysAgo(5), 1), { atMost: 12 });
}

/** Returns a function that makes the customer with a number, in the given version. */
async function openCustomers(
  connection: Connection,
): Promise<(index: number, version: number, email?: number) => RecordToWrite> {
  const make = await customerMaker(connection);
  return (index, version, email = index) => {
    const customer = { ...make(index, version), email_address: emailOf(email) };
    const record = replicatedKinds.customer.normalize(connection, customer);
    if (!record) throw new Error(`no record can be made of customer ${index}`);
    return record;
  };
}

/** Returns a function that writes all records of a kind on one day, and reports the write units of a record. */
async function openList({ scratch: { table }, figure, progress }: Bench, crbId: string, kind: RecordKind) {
  const options = { fence: await standingFence(table, crbId, kind), ...indexingOptions[kind] };
  return async (name: string, ago: number, recordOf: (index: number) => RecordToWrite, bar: Bar) => {
    progress(`Writing ${kind}s: ${name}`);
    const clock = noonOf(daysAgo(ago));
    const { writeUnits } = await costOf(table.client, () =>
      writeAll(table, recordList(crbId, kind), { ...options, clock }, indexes(records), recordOf),
    );
    figure(`Write of a ${kind} that can be searched: ${name}`, writeUnits / records, "write units", bar);
  };
}
