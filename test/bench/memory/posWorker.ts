import { recordKinds } from "../../../shared/kinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { findConnector } from "../../../shared/pos/connectors.ts";
import { replicate } from "../../../shared/replication/replicate.ts";
import { serviceTable } from "../../../shared/table/client.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// The replication worker, alone in its process, with all that a business has in the POS that the environment names.

const { connection, least } = JSON.parse(process.argv[2] ?? "{}") as { connection: Connection; least: number };
const connector = findConnector(connection.posType);
if (!connector) throw new Error(`no connector for ${connection.posType}`);
let created = 0;
for (const kind of recordKinds) {
  const result = await replicate(serviceTable(), connection, connector, kind);
  if (!(result.outcome === "finished" && result.rejected === 0)) throw new Error(JSON.stringify(result));
  created += result.created;
}
if (created < least) throw new Error(`only ${created} records`);
tellPeakMemory();
