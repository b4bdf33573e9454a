import type { Table } from "../../store/client.ts";
import type { Bucket } from "../documents/bucket.ts";
import { writeToJournal } from "../documents/journal.ts";
import type { Endpoint, SealedSecret } from "./endpoint.ts";
import { rotateSecret } from "./endpointChanges.ts";
import { deleteEndpoint } from "./endpointsOfProvider.ts";
import { secretDigest } from "./secrets.ts";

// What ends endpoints and their secrets, noted in the journal before: after a restore it is done again from there
// (`replayJournal`). Nothing outside of shared/ does it in any other way (test/rules).

/** `deleteEndpoint`, noted in the journal. */
export async function deleteEndpointJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  spId: string,
  endpointId: string,
): Promise<Endpoint> {
  await writeToJournal(bucket, { kind: "deletion", sp_id: spId, endpoint_id: endpointId }, table.clock.now());
  return deleteEndpoint(table, spId, endpointId);
}

/** `rotateSecret`, with the end of the secret before noted in the journal, by a digest of it as it is sealed. */
export function rotateSecretJournaled(
  { table, bucket }: { table: Table; bucket: Bucket },
  spId: string,
  endpointId: string,
  by: string | null = null,
): ReturnType<typeof rotateSecret> {
  const rotation = { kind: "rotation", sp_id: spId, endpoint_id: endpointId } as const;
  const noted = (ending: SealedSecret, now: Date) =>
    writeToJournal(bucket, { ...rotation, secret: secretDigest(ending) }, now);
  return rotateSecret(table, spId, endpointId, { onSecretEnding: noted, by });
}
