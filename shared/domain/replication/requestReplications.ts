import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { queueUrl, type SendOptions, sendMessages } from "../../platform/queue/sendMessages.ts";
import type { ReplicationMessage } from "./replicationMessage.ts";

/**
 * Requests a replication of each given kind of a CRB's records, in the given order; of all kinds by default. Each kind gets its
 * own message, because these runs may read everything.
 */
export async function requestReplication(
  crbId: string,
  kinds: readonly RecordKind[] = recordKinds,
  { full, ...options }: SendOptions & Pick<ReplicationMessage, "full"> = {},
): Promise<void> {
  await requestReplications(
    kinds.map((kind) => ({ crb_id: crbId, kinds: [kind], full })),
    options,
  );
}

export async function requestReplications(
  messages: readonly ReplicationMessage[],
  options?: SendOptions,
): Promise<void> {
  await sendMessages(queueUrl("REPLICATION_QUEUE_URL"), messages, options);
}

/**
 * Like `requestReplications`, for CRBs whose last run failed. Their queue has workers of its own, so that runs that wait for a
 * POS without a response do not delay other CRBs.
 */
export async function requestRetries(messages: readonly ReplicationMessage[], options?: SendOptions): Promise<void> {
  await sendMessages(queueUrl("RETRY_QUEUE_URL"), messages, options);
}
