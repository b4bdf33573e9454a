import type { Table } from "../../../store/client.ts";
import { exportDuePartition, exportKey, parseExportDueKey, runningExportKey } from "../../../store/keys/exports.ts";
import { afterTime } from "../../../store/keys/key.ts";
import { removalPartition, uploadKey } from "../../../store/keys/onboarding.ts";
import { documentList } from "../../../store/keys/orderedLists.ts";
import { parseStatementDueKey, statementsDuePartition, statementsPartition } from "../../../store/keys/statements.ts";
import { keyOf, type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import type { Bucket } from "../../documents/bucket.ts";
import { doAll } from "../../documents/endLinks.ts";
import { objectPrefixes } from "../../documents/objectPrefixes.ts";
import { listVersions, removeVersion } from "../../documents/objectVersions.ts";
import { removeList } from "./purgeRecords.ts";

/**
 * Removes all documents, uploads, exports and statements of a CRB: first the files, in every version, then the items in the table.
 *
 * @throws ServiceError "unavailable" if the bucket cannot be reached
 */
export async function purgeFiles(
  table: Table,
  bucket: Bucket,
  { crbId, spId }: { crbId: string; spId: string },
  removed: RemovalListener,
): Promise<void> {
  const prefixes = objectPrefixes(crbId);
  for (const prefix of prefixes) {
    for (;;) {
      const versions = await listVersions(bucket, prefix);
      if (versions.length === 0) break;
      await doAll(versions, (version) => removeVersion(bucket, version));
      removed("object versions", versions.length);
    }
  }
  await removePartition(table, removalPartition, (count) => removed("scheduled object removals", count), {
    filter: (item) => prefixes.some((prefix) => afterTime(keyOf(item).sk).startsWith(prefix)),
  });
  await removeList(table, documentList(crbId), "documents", removed);
  await removePartition(table, uploadKey(crbId, "").pk, (count) => removed("uploads", count));
  await removePartition(table, exportKey(crbId, "").pk, (count) => removed("exports", count));
  await removePartition(table, exportDuePartition, (count) => removed("due times of exports", count), {
    filter: (item) => parseExportDueKey(keyOf(item).sk).crbId === crbId,
  });
  await removePartition(table, statementsPartition(crbId), (count) => removed("statements", count));
  await removePartition(table, statementsDuePartition, (count) => removed("due times of statements", count), {
    filter: (item) => parseStatementDueKey(keyOf(item).sk).crbId === crbId,
  });
  // Also the running export, which no worker can end any more. It would block the next exports of the service provider.
  await removePartition(table, runningExportKey(spId).pk, (count) => removed("places of exports in the queue", count), {
    attributes: ["crb_id"],
    filter: (item) => (item.crb_id?.S ?? parseExportDueKey(keyOf(item).sk).crbId) === crbId,
  });
}
