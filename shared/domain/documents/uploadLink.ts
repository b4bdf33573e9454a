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
  const session = { name: "upload", role: process.env.UPLOAD_WRITER_ROLE, storageKey, life: uploadLife };
  return signBySession(bucket, { ...session, may: "write" }, (writer, from) =>
    writer.signUpload(storageKey, contentType, length, from),
  );
}
