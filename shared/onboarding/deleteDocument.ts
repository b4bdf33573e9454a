import { notFound } from "../api/errors.ts";
import type { Requirement } from "../api/schemas/requirement.ts";
import type { Bucket } from "../documents/bucket.ts";
import { removalOf, remove } from "../documents/removals.ts";
import type { Table } from "../table/client.ts";
import { documentList, type Key, parseRank } from "../table/keys.ts";
import { defaultChapterSize } from "../table/rankedList/directory.ts";
import { RankKeeper } from "../table/rankedList/rankKeeper.ts";
import { changeRequirement } from "./changeRequirement.ts";

/**
 * Deletes a document (contract 8.3): its record stays, marked, in one transaction with the plan to remove its object;
 * then the object goes. What is cut off after the transaction is finished by the sweeper.
 *
 * @param by `client_id` of the caller
 * @returns the requirement afterwards
 * @throws ServiceError "notFound" for an unknown requirement, an unknown document or one deleted before
 */
export async function deleteDocument(
  table: Table,
  bucket: Bucket,
  path: { crb_id: string; requirement_id: string; document_id: string },
  by: string,
): Promise<Requirement> {
  let removal: Key | undefined;
  const target = { crbId: path.crb_id, requirementId: path.requirement_id, by };
  const requirement = await changeRequirement(table, target, async ({ documents, now }) => {
    const document = documents.find(({ record }) => record.id === path.document_id);
    if (!document) throw notFound();
    removal = removalOf(document.record.storage_key, now);
    // Its place in the list stays the same, and the list tells of the change.
    const { day } = parseRank(document.rank);
    const ranks = new RankKeeper(table, documentList(path.crb_id).orders.rank, defaultChapterSize);
    await ranks.load([day], []);
    ranks.place(document.rank, day);
    return {
      document: { ...document, record: { ...document.record, deleted: true } },
      alsoWrite: [table.putWrite({ ...removal }), ...ranks.writes(now, undefined)],
    };
  });
  if (removal) await remove(table, bucket, removal);
  return requirement;
}
