import type { Export } from "../../api/schemas/export.ts";
import type { Bucket } from "../documents/bucket.ts";
import { exportPrefix } from "../documents/objectPrefixes.ts";
import { signFiles } from "../documents/signBySession.ts";
import { fileExtensions, type StoredExport, type StoredPart, toExport } from "./storedExport.ts";

/** Seconds. Short, since one request signs links to all files; programs get new links by another request. */
const linkLife = 600;

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
  const session = {
    ...{ name: "export", role: process.env.EXPORT_READER_ROLE, life: linkLife },
    storageKey: `${exportPrefix(stored.crb_id)}${stored.id}/*`,
  };
  return toExport(stored, await signFiles(bucket, session, stored.parts, (part) => fileName(stored, part)));
}

/** The name under which a browser saves a file. */
const fileName = ({ format }: StoredExport, { kind, part }: StoredPart): string =>
  `${kind}-${part}.${fileExtensions[format]}`;
