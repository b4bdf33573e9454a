import type { Document } from "../../api/schemas/document.ts";
import type { RequirementDocument } from "../../api/schemas/requirement.ts";
import type { Item, Table } from "../../store/client.ts";
import { documentList, recordKey } from "../../store/keys/orderedLists.ts";

/** A stored document: its record, and the review of its requirement. */
export interface StoredDocument {
  record: Document;
  requirementId: string;
  review: Omit<RequirementDocument, "id" | "uploaded_by" | "uploaded_by_person" | "upload_date" | "file_name">;
  /** The permanent position of the document among the CRB's documents. */
  rank: string;
  /**
   * Client id of the credential that deleted the document. Absent if an invited user deleted it, or if it is not
   * deleted.
   */
  deletedBy?: string;
  /**
   * The version of the CRB's answers at the document's last change; 0 if the last change was made before answers had
   * versions.
   */
  version: number;
}

/** The record is stored as JSON text, so that a list response can be assembled from these texts without parsing. */
export function documentItem({ record, requirementId, review, rank, deletedBy, version }: StoredDocument): Item {
  const key = recordKey(documentList(record.org_id), record.id);
  const body = JSON.stringify(record);
  const deleted = deletedBy === undefined ? {} : { deleted_by: deletedBy };
  return { ...key, rank, body, requirement_id: requirementId, review, version, ...deleted };
}

export function toStoredDocument(item: Item): StoredDocument {
  return {
    record: JSON.parse(item.body as string),
    requirementId: item.requirement_id as string,
    review: item.review as StoredDocument["review"],
    rank: item.rank as string,
    version: (item.version as number | undefined) ?? 0,
    ...(item.deleted_by !== undefined && { deletedBy: item.deleted_by as string }),
  };
}

/** Reads a document of a CRB, even if it is deleted. */
export async function readDocument(table: Table, crbId: string, id: string): Promise<StoredDocument | undefined> {
  const item = await table.get(recordKey(documentList(crbId), id), { consistent: true });
  return item && toStoredDocument(item);
}

/** All documents of a CRB, newest first, including deleted ones. */
export async function readDocuments(table: Table, crbId: string): Promise<StoredDocument[]> {
  const items = await table.queryPartition(documentList(crbId).pk, { consistent: true });
  return items.map(toStoredDocument).sort((one, other) => (one.rank < other.rank ? 1 : -1));
}
