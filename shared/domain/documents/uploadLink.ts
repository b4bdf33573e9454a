import { type Bucket, type SignedLink, uploadLife } from "./bucket.ts";
import { signBySession } from "./signBySession.ts";

/**
 * Creates a link that stores an object of exactly this type and length (bytes), once, within 900 s
 * (docs/spec.md#uploads-and-downloads). Anyone with the link can use it. If UPLOAD_WRITER_ROLE names a role (on AWS), a
 * session of that role signs the link.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function uploadLink(
  bucket: Bucket,
  storageKey: string,
  contentType: string,
  length: number,
): Promise<SignedLink> {
  const role = process.env.UPLOAD_WRITER_ROLE;
  if (!role) return bucket.signUpload(storageKey, contentType, length);
  const action = { action: "s3:PutObject", keyAction: "kms:GenerateDataKey" } as const;
  return signBySession(bucket, { name: "upload", role, storageKey, ...action, life: uploadLife }, (writer, from) =>
    writer.signUpload(storageKey, contentType, length, from),
  );
}
