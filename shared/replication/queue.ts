import type * as z from "zod";
import { queueUrl, sendMessages } from "../queue/sendMessages.ts";
import type { RecordKind } from "../table/keys.ts";
import type { replicationMessage } from "./message.ts";
import { replicatedKinds } from "./replicatedKinds.ts";

/** Asks for a replication of a CRB, of the given kinds of records in their order; of all kinds unless said otherwise. */
export async function requestReplication(
  crbId: string,
  kinds: readonly RecordKind[] = Object.keys(replicatedKinds) as RecordKind[],
): Promise<void> {
  const messages: z.input<typeof replicationMessage>[] = kinds.map((kind) => ({ crb_id: crbId, kind }));
  await sendMessages(queueUrl("REPLICATION_QUEUE_URL"), messages);
}
