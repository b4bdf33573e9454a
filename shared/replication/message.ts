import * as z from "zod";
import type { RecordKind } from "../table/keys.ts";
import { replicatedKinds } from "./replicatedKinds.ts";

/** What asks for a run: the body of a message in the replication queue, as JSON. */
export const replicationMessage = z.strictObject({
  crb_id: z.guid().toLowerCase(),
  kind: z.enum(Object.keys(replicatedKinds) as RecordKind[]),
});
