import { randomUUID } from "node:crypto";
import type { MimeType } from "../../api/enumerations.ts";
import { notFound } from "../../api/errors.ts";
import type { PersonName } from "../../api/schemas/person.ts";
import { requireMaker } from "../../auth/credentials.ts";
import { exists, type Table } from "../../store/client.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { credentialKey } from "../../store/keys/credentials.ts";
import { uploadKey } from "../../store/keys/onboarding.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { systemClock } from "../../time/clock.ts";
import { intentOf, newStorageKey } from "./removals.ts";

/** Seconds after which an incomplete upload expires (docs/spec.md#uploads-and-downloads). */
const life = 24 * 60 * 60;

/** A file that a caller may upload directly to S3. */
export interface Upload {
  document_id: string;
  requirement_id: string;
  file_name: string;
  /** The name to show; the file name if undefined. */
  friendly_name?: string | undefined;
  file_type: MimeType;
  /** Bytes. */
  size: number;
  /** The key of the file's raw bytes. */
  storage_key: string;
  uploaded_by: string;
  /** null or undefined for programs and invited users. */
  uploaded_by_person?: PersonName | null;
  /** As in `endsWithOf`. */
  ends_with?: readonly string[];
  /** Epoch seconds; also the time-to-live attribute of DynamoDB. */
  expires: number;
}

/**
 * Stores an upload, together with an item that plans the removal of its object in a day.
 *
 * @param by the requesting caller; null for an invited user
 * @throws ServiceError "notFound" if the association has ended; "unauthorized" if the credential or the key ends in the
 *   meantime
 */
export async function planUpload(
  table: Table,
  path: { sp_id: string; crb_id: string; requirement_id: string },
  file: Pick<Upload, "file_name" | "friendly_name" | "file_type" | "size" | "uploaded_by" | "uploaded_by_person">,
  by: Maker | null = null,
): Promise<Upload> {
  const now = new Date();
  const document_id = randomUUID();
  const storage_key = `uploads/${newStorageKey(path.crb_id)}`;
  const upload: Upload = {
    document_id,
    requirement_id: path.requirement_id,
    file_name: file.file_name,
    ...(file.friendly_name !== undefined && { friendly_name: file.friendly_name }),
    file_type: file.file_type,
    size: file.size,
    storage_key,
    uploaded_by: file.uploaded_by,
    uploaded_by_person: file.uploaded_by_person ?? null,
    ...endsWithOf(by),
    expires: Math.floor(now.getTime() / 1000) + life,
  };
  const association = associationKey(path.sp_id, path.crb_id);
  return retryOnConflict(systemClock, async () => {
    if (!(await table.get(association, { consistent: true }))) throw notFound("CRB");
    await table.transact([
      // If the association ends before this transaction, the transaction fails. If the association ends after this
      // transaction, `endLinks` finds this upload and ends its link.
      table.checkWrite(association, exists),
      table.putWrite({ ...uploadKey(path.crb_id, document_id), ...upload }),
      table.putWrite({ ...intentOf(storage_key, now) }),
    ]);
    // A revocation that ran before the transaction did not find this upload. The caller must therefore get no link if
    // its credential or key has ended. This check is not a condition in the transaction, because parallel uploads of one
    // credential would then fail.
    if (by) requireMaker(await table.get(credentialKey(by.clientId), { consistent: true }), by);
    return upload;
  });
}

/** The uploads of a CRB that can still be completed. */
export async function readUploads(table: Table, crbId: string): Promise<Upload[]> {
  const items = await table.queryPartition(uploadKey(crbId, "").pk, { consistent: true });
  return (items as unknown as Upload[]).filter(isOpen);
}

const isOpen = ({ expires }: Upload): boolean => expires > Date.now() / 1000;

/** Reads an upload; undefined if it can no longer be completed. */
export async function readUpload(table: Table, crbId: string, documentId: string): Promise<Upload | undefined> {
  const upload = (await table.get(uploadKey(crbId, documentId), { consistent: true })) as Upload | undefined;
  return upload && isOpen(upload) ? upload : undefined;
}
