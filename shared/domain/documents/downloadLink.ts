import { type Bucket, downloadLife, type SignedLink } from "./bucket.ts";
import { signBySession } from "./signBySession.ts";

/**
 * A link by which whoever has it reads an object, as a file of this name, for 3600 s (docs/spec.md#uploads-and-downloads). Where
 * DOCUMENT_READER_ROLE names a role (on AWS), a session of it signs.
 *
 * @throws ServiceError "unavailable" when no session can be had
 */
export async function downloadLink(bucket: Bucket, storageKey: string, fileName: string): Promise<SignedLink> {
  const role = process.env.DOCUMENT_READER_ROLE;
  if (!role) return bucket.signDownload(storageKey, fileName);
  const action = { action: "s3:GetObject", keyAction: "kms:Decrypt" } as const;
  return signBySession(bucket, { name: "download", role, storageKey, ...action, life: downloadLife }, (reader, from) =>
    reader.signDownload(storageKey, fileName, from),
  );
}
