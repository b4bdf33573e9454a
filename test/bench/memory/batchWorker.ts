import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { customerMaker, saleMaker } from "../data/records.ts";
import { replicateAll } from "./stock.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the replication worker in its process with a batch of messages: first readings of several businesses at once.

const { connections, records } = JSON.parse(process.argv[2] ?? "{}") as { connections: Connection[]; records: number };
const kinds = ["customer", "sale"] as const satisfies RecordKind[];
await Promise.all(
  connections.map(async (connection, i) => {
    const kind = kinds[i % kinds.length] ?? "customer";
    const make = kind === "customer" ? await customerMaker(connection) : await saleMaker(connection, records);
    await replicateAll(connection, kind, records, make as never);
  }),
);
tellPeakMemory();
