import type { Statement } from "../../api/schemas/statement.ts";
import { type Bucket, downloadLife, type SignedLink } from "../documents/bucket.ts";
import { statementPrefix } from "../documents/objectPrefixes.ts";
import { signBySession } from "../documents/signBySession.ts";
import { type StoredFile, type StoredStatement, toStatement } from "./storedStatement.ts";

/**
 * A statement with new links to its files, for 3600 s (docs/spec.md#statements). Anyone with a link can use it. If
 * STATEMENT_READER_ROLE names a role (on AWS), one session of that role signs all links, and can read only the files of this
 * statement.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function statementWithLinks(bucket: Bucket, stored: StoredStatement): Promise<Statement> {
  if (stored.status !== "ready") return toStatement(stored);
  const role = process.env.STATEMENT_READER_ROLE;
  const links = role
    ? await signBySession(
        bucket,
        {
          name: "statement",
          role,
          storageKey: `${statementPrefix(stored.crb_id)}${stored.id}/*`,
          action: "s3:GetObject",
          keyAction: "kms:Decrypt",
          life: downloadLife,
        },
        (signer, from) => signAll(signer, stored, from),
      )
    : await signAll(bucket, stored);
  return toStatement(stored, ({ storage_key }) => {
    const { link, expiresAt } = links.get(storage_key) as SignedLink;
    return { download_link: link, expires_date: new Date(expiresAt).toISOString() };
  });
}

async function signAll(bucket: Bucket, stored: StoredStatement, from?: Date): Promise<Map<string, SignedLink>> {
  const sign = async ({ storage_key, name }: StoredFile) =>
    [storage_key, await bucket.signDownload(storage_key, fileName(stored, name), { from })] as const;
  return new Map(await Promise.all(stored.files.map(sign)));
}

/** The name under which a browser saves a file, such as `2026-02-01_2026-02-28_days.csv`. */
const fileName = ({ start_date, end_date }: StoredStatement, name: string): string =>
  `${start_date}_${end_date}_${name}`;
