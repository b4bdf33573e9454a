import { randomUUID } from "node:crypto";
import type { MimeType } from "../api/enumerations.ts";
import type { Table } from "../table/client.ts";
import { uploadKey } from "../table/keys.ts";
import { intentOf, newStorageKey } from "./removals.ts";

/** Seconds after which an upload that was never completed is forgotten (contract 8.1). */
const life = 24 * 60 * 60;

/** A file that a caller may send to the store by itself. */
export interface Upload {
  document_id: string;
  requirement_id: string;
  file_name: string;
  file_type: MimeType;
  /** Bytes. */
  size: number;
  /** Where the file's raw bytes go. */
  storage_key: string;
  uploaded_by: string;
  /** Epoch seconds; also the attribute by which DynamoDB removes the item some time later. */
  expires: number;
}

/** Makes a place for a file, together with the plan to remove it in a day. */
export async function planUpload(
  table: Table,
  path: { crb_id: string; requirement_id: string },
  file: Pick<Upload, "file_name" | "file_type" | "size" | "uploaded_by">,
): Promise<Upload> {
  const now = new Date();
  const document_id = randomUUID();
  const storage_key = `uploads/${newStorageKey(path.crb_id)}`;
  const upload: Upload = {
    document_id,
    requirement_id: path.requirement_id,
    file_name: file.file_name,
    file_type: file.file_type,
    size: file.size,
    storage_key,
    uploaded_by: file.uploaded_by,
    expires: Math.floor(now.getTime() / 1000) + life,
  };
  await table.transact([
    table.putWrite({ ...uploadKey(path.crb_id, document_id), ...upload }),
    table.putWrite({ ...intentOf(storage_key, now) }),
  ]);
  return upload;
}

/** An upload that can still be completed. */
export async function readUpload(table: Table, crbId: string, documentId: string): Promise<Upload | undefined> {
  const upload = (await table.get(uploadKey(crbId, documentId), { consistent: true })) as Upload | undefined;
  return upload && upload.expires > Date.now() / 1000 ? upload : undefined;
}
