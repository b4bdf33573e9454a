import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import type { Table } from "../../store/client.ts";
import { exportLinksKey } from "../../store/keys/exports.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { listedUntil, type StoredExport } from "./storedExport.ts";

/**
 * Records that a credential receives links to the files of an export. Call it before the links are signed: the end of the
 * credential then finds the export and removes its files (`endResources`). Costs one read if it is recorded already, else
 * one transaction that requires an active credential.
 *
 * @throws ServiceError "unauthorized" if the credential has ended meanwhile
 */
export async function recordLinkRecipient(
  table: Table,
  clientId: string,
  { id, created_at }: Pick<StoredExport, "id" | "created_at">,
): Promise<void> {
  const key = exportLinksKey(clientId, id);
  if (await table.get(key, { consistent: true })) return;
  await retryOnConflict(table.clock, () =>
    withActiveCredential(table, clientId, 0, (check) =>
      table.transact([...check, table.putWrite({ ...key, expires: listedUntil({ created_at }) })]),
    ),
  );
}

/** The ids of the exports whose links the credentials have received. */
export async function findReceivedExports(table: Table, clientIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const received = new Set<string>();
  for (const clientId of clientIds) {
    const items = await table.queryPartition(exportLinksKey(clientId, "").pk, { consistent: true });
    for (const { sk } of items) received.add(sk);
  }
  return received;
}
