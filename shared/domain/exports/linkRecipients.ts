import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import type { Table } from "../../store/client.ts";
import { exportLinksKey } from "../../store/keys/exports.ts";
import type { Maker } from "../../store/madeWith.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { listedUntil, type StoredExport } from "./storedExport.ts";

/**
 * Records that a caller receives links to the files of an export, for its credential and for those that end the key of
 * its token. Call it before the links are signed: the end of one of these credentials then finds the export and removes
 * its files (`endResources`). Costs one read for each of them if it is recorded already, else also one transaction that
 * requires an active credential with the key.
 *
 * @throws ServiceError "unauthorized" if the credential or the key has ended meanwhile
 */
export async function recordLinkRecipient(
  table: Table,
  by: Maker,
  { id, created_at }: Pick<StoredExport, "id" | "created_at">,
): Promise<void> {
  const keys = [by.clientId, ...(by.keyEndsWith ?? [])].map((clientId) => exportLinksKey(clientId, id));
  const recorded = await Promise.all(keys.map((key) => table.get(key, { consistent: true })));
  if (recorded.every((item) => item !== undefined)) return;
  const expires = listedUntil({ created_at });
  await retryOnConflict(table.clock, () =>
    withActiveCredential(table, by, 0, (check) =>
      table.transact([...check, ...keys.map((key) => table.putWrite({ ...key, expires }))]),
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
