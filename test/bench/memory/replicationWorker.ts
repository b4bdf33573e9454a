import type { Connection } from "../../../shared/pos/connector.ts";
import { replicate } from "../../../shared/replication/replicate.ts";
import { serviceTable } from "../../../shared/table/client.ts";
import { customerMaker, inventoryMaker } from "../data/records.ts";
import { makingPos } from "./makingPos.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// The replication worker, alone in its process, with everything a business has of one kind.

const { connection, kind, records } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  kind: "customer" | "inventory";
  records: number;
};
const pos =
  kind === "customer"
    ? makingPos(records, await customerMaker(connection))
    : makingPos(records, await inventoryMaker(connection, 2_500));
const result = await replicate(serviceTable(), connection, pos, kind);
if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
tellPeakMemory();
