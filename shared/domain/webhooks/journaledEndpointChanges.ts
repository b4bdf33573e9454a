import type { Table } from "../../store/client.ts";
import type { Maker } from "../../store/madeWith.ts";
import type { Bucket } from "../documents/bucket.ts";
import { writeToJournal } from "../documents/journal.ts";
import { deleteEndpoint } from "./deleteEndpoint.ts";
import type { Endpoint, SealedSecret } from "./endpoint.ts";
import { rotateSecret } from "./endpointChanges.ts";
import { secretDigest } from "./secrets.ts";

// Operations that end endpoints or secrets. Each operation is written to the journal first, so that `replayJournal` can repeat
// the operation after a restore. Code outside shared/ must use these functions (test/rules).

/** Writes the deletion to the journal, then calls `deleteEndpoint`. */
export async function deleteEndpointJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  spId: string,
  endpointId: string,
): Promise<Endpoint> {
  await writeToJournal(bucket, { kind: "deletion", sp_id: spId, endpoint_id: endpointId }, table.clock.now());
  return deleteEndpoint(table, spId, endpointId);
}

/**
 * Calls `rotateSecret`, which first writes the end of the present secret to the journal. The entry has the digest of the
 * secret.
 */
export function rotateSecretJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  spId: string,
  endpointId: string,
  by: Maker | null = null,
): ReturnType<typeof rotateSecret> {
  const rotation = { kind: "rotation", sp_id: spId, endpoint_id: endpointId } as const;
  const noted = (ending: SealedSecret, now: Date) =>
    writeToJournal(bucket, { ...rotation, secret: secretDigest(ending) }, now);
  return rotateSecret(table, spId, endpointId, { onSecretEnding: noted, by });
}
