import type { Statement } from "../../api/schemas/statement.ts";
import { type Bucket, downloadLife } from "../documents/bucket.ts";
import { statementPrefix } from "../documents/objectPrefixes.ts";
import { signFiles } from "../documents/signBySession.ts";
import { type StoredStatement, toStatement } from "./storedStatement.ts";

/**
 * A statement with new links to its files, for 3600 s (docs/spec.md#statements). Anyone with a link can use it. If
 * STATEMENT_READER_ROLE names a role (on AWS), one session of that role signs all links, and can read only the files of this
 * statement.
 *
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function statementWithLinks(bucket: Bucket, stored: StoredStatement): Promise<Statement> {
  if (stored.status !== "ready") return toStatement(stored);
  const session = {
    ...{ name: "statement", role: process.env.STATEMENT_READER_ROLE, life: downloadLife },
    storageKey: `${statementPrefix(stored.crb_id)}${stored.id}/*`,
  };
  return toStatement(stored, await signFiles(bucket, session, stored.files, ({ name }) => fileName(stored, name)));
}

/** The name under which a browser saves a file, such as `2026-02-01_2026-02-28_days.csv`. */
const fileName = ({ start_date, end_date }: StoredStatement, name: string): string =>
  `${start_date}_${end_date}_${name}`;
