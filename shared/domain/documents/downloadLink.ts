import { type Bucket, downloadLife, fileKey, type SignedLink } from "./bucket.ts";
import { signBySession } from "./signBySession.ts";

/** The links of a document: to its base64 text, and to the file itself. */
export interface DocumentLinks {
  text: SignedLink;
  file: SignedLink;
}

/**
 * Creates links that download a document for 3600 s (docs/spec.md#uploads-and-downloads): its base64 text as
 * `NAME.base64.txt`, and the file by its own name. Anyone with a link can use it. If DOCUMENT_READER_ROLE names a role (on AWS),
 * a session of that role signs the links.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function documentLinks(bucket: Bucket, storageKey: string, fileName: string): Promise<DocumentLinks> {
  const role = process.env.DOCUMENT_READER_ROLE;
  const session = { name: "download", role, storageKey: `${storageKey}*`, life: downloadLife };
  return signBySession(bucket, { ...session, may: "read" }, async (reader, from) => ({
    text: await reader.signDownload(storageKey, `${fileName}.base64.txt`, { from }),
    file: await reader.signDownload(fileKey(storageKey), fileName, { from }),
  }));
}
