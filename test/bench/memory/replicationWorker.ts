import type { Connection } from "../../../shared/pos/connector.ts";
import { customerMaker, saleMaker } from "../data/records.ts";
import { replicateAll } from "./stock.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the replication worker alone in its process, with all records of one kind of a business.

const { connection, kind, records } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  kind: "customer" | "sale";
  records: number;
};
const makers = { customer: () => customerMaker(connection), sale: () => saleMaker(connection, records) };
await replicateAll(connection, kind, records, await makers[kind]());
tellPeakMemory();
