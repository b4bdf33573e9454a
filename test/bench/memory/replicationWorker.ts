import type { Connection } from "../../../shared/pos/connector.ts";
import { replicate } from "../../../shared/replication/replicate.ts";
import { serviceTable } from "../../../shared/table/client.ts";
import { customerMaker, inventoryMaker, saleMaker } from "../data/records.ts";
import { makingPos } from "./makingPos.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// The replication worker, alone in its process, with everything a business has of one kind.

const { connection, kind, records } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  kind: "customer" | "sale" | "inventory";
  records: number;
};
const makers = {
  customer: () => customerMaker(connection),
  sale: () => saleMaker(connection, records),
  inventory: () => inventoryMaker(connection, 2_500),
};
const pos = makingPos<typeof kind>(records, await makers[kind]());
const result = await replicate(serviceTable(), connection, pos, kind);
if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
tellPeakMemory();
