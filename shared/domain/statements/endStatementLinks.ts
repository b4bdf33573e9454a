import type { Table } from "../../store/client.ts";
import { statementsPartition } from "../../store/keys/statements.ts";
import type { Bucket } from "../documents/bucket.ts";
import { doAll, endDownloadLinks } from "../documents/endLinks.ts";
import type { StoredFile } from "./storedStatement.ts";

/**
 * Ends the links to all statements of a CRB whose association has ended. The files stay until a purge.
 *
 * @throws ServiceError "unavailable" if the bucket cannot be reached
 */
export async function endStatementLinks(table: Table, bucket: Bucket, crbId: string): Promise<void> {
  const items = await table.queryPartition(statementsPartition(crbId), { consistent: true });
  const files = items.flatMap((item) => (item.files ?? []) as StoredFile[]);
  await doAll(files, ({ storage_key }) => endDownloadLinks(bucket, storage_key));
}
