import type { Connection } from "../../../shared/pos/connector.ts";
import { customerMaker, saleMaker } from "../data/records.ts";
import { replicateAll } from "./stock.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// The replication worker, alone in its process, with everything a business has of one kind.

const { connection, kind, records } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  kind: "customer" | "sale";
  records: number;
};
const makers = {
  customer: () => customerMaker(connection),
  sale: () => saleMaker(connection, records),
};
await replicateAll(connection, kind, records, await makers[kind]());
tellPeakMemory();
