import { type Bucket, downloadLife, type SignedLink } from "./bucket.ts";
import { signBySession } from "./signBySession.ts";

/**
 * Creates a link that downloads an object as a file with this name for 3600 s (docs/spec.md#uploads-and-downloads).
 * Anyone with the link can use it. If DOCUMENT_READER_ROLE names a role (on AWS), a session of that role signs the
 * link.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function downloadLink(bucket: Bucket, storageKey: string, fileName: string): Promise<SignedLink> {
  const role = process.env.DOCUMENT_READER_ROLE;
  if (!role) return bucket.signDownload(storageKey, fileName);
  const action = { action: "s3:GetObject", keyAction: "kms:Decrypt" } as const;
  return signBySession(bucket, { name: "download", role, storageKey, ...action, life: downloadLife }, (reader, from) =>
    reader.signDownload(storageKey, fileName, { from }),
  );
}
