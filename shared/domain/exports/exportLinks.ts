import type { Export } from "../../api/schemas/export.ts";
import type { Bucket, SignedLink } from "../documents/bucket.ts";
import { exportPrefix } from "../documents/objectPrefixes.ts";
import { signBySession } from "../documents/signBySession.ts";
import { fileExtensions, type StoredExport, type StoredPart, toExport } from "./storedExport.ts";

/** Seconds. Short, since one request signs links to all files; programs get new links by another request. */
const linkLife = 600;
/** The minimum of STS, in seconds. */
const minSessionLife = 900;

/** Whether an export has files to which `exportWithLinks` signs links. */
export const hasLinks = ({ status, parts }: StoredExport): boolean => status === "ready" && parts.length > 0;

/**
 * An export with new links to its files, for 600 s (docs/spec.md#exports). Anyone with a link can use it. If
 * EXPORT_READER_ROLE names a role (on AWS), one session of that role signs all links, and can read only the files of this
 * export.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function exportWithLinks(bucket: Bucket, stored: StoredExport): Promise<Export> {
  if (!hasLinks(stored)) return toExport(stored);
  const role = process.env.EXPORT_READER_ROLE;
  const links = role
    ? await signBySession(
        bucket,
        {
          name: "export",
          role,
          storageKey: `${exportPrefix(stored.crb_id)}${stored.id}/*`,
          action: "s3:GetObject",
          keyAction: "kms:Decrypt",
          life: minSessionLife,
        },
        (signer, from) => signAll(signer, stored, from),
      )
    : await signAll(bucket, stored);
  return toExport(stored, ({ storage_key }) => {
    const { link, expiresAt } = links.get(storage_key) as SignedLink;
    return { download_link: link, expires_date: new Date(expiresAt).toISOString() };
  });
}

async function signAll(bucket: Bucket, stored: StoredExport, from?: Date): Promise<Map<string, SignedLink>> {
  const sign = async (part: StoredPart) =>
    [
      part.storage_key,
      await bucket.signDownload(part.storage_key, fileName(stored, part), { from, life: linkLife }),
    ] as const;
  return new Map(await Promise.all(stored.parts.map(sign)));
}

/** The name under which a browser saves a file. */
const fileName = ({ format }: StoredExport, { kind, part }: StoredPart): string =>
  `${kind}-${part}.${fileExtensions[format]}`;
