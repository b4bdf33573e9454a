import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { toPerson } from "../../api/schemas/person.ts";
import type { Statement } from "../../api/schemas/statement.ts";
import { exists, type Item, type Table, unchanged } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { datedRank } from "../../store/keys/key.ts";
import { statementDueKey, statementKey, statementsPartition } from "../../store/keys/statements.ts";
import { type CursorPage, cursorPage, readRanked } from "../../store/pageCursor.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { type FileLink, noLink } from "../documents/fileLink.ts";

/** A file of a statement, as stored. */
export interface StoredFile {
  name: string;
  bytes: number;
  sha256: string;
  storage_key: string;
}

/** A statement, as stored. All instants are ISO 8601 UTC. */
export interface StoredStatement extends Omit<Statement, "files"> {
  sp_id: string;
  /** Increases with every change. All changes depend on it, so that a ready statement never changes again. */
  version: number;
  files: readonly StoredFile[];
  /** Epoch milliseconds until which no other worker may make the statement; 0 if no worker runs. */
  held_until: number;
  /** Number of attempts, with the current one. */
  attempts: number;
}

/** Another worker has changed or ended the statement. */
export class StatementChangedError extends Error {
  override readonly name = "StatementChangedError";
}

/** The association of the CRB has ended, so no event reports the statement. */
export class AssociationEndedError extends Error {
  override readonly name = "AssociationEndedError";
}

/** Whether a statement still has to be made. */
export const isOpen = ({ status }: Pick<StoredStatement, "status">): boolean =>
  status === "queued" || status === "running";

/** Seconds after its creation for which a failed statement is listed (docs/spec.md#statements). */
const listedSeconds = 14 * 24 * 60 * 60;

const listedUntil = ({ created_date }: StoredStatement): number =>
  Math.floor(Date.parse(created_date) / 1_000) + listedSeconds;

const rankOf = ({ created_date, id }: Pick<StoredStatement, "created_date" | "id">): string =>
  datedRank(created_date, id);

export const statementItem = (stored: StoredStatement): Item => ({
  ...statementKey(stored.crb_id, stored.id),
  rank: rankOf(stored),
  ...stored,
  ...(stored.status === "failed" && { expires: listedUntil(stored) }),
});

const toStored = ({ pk: _pk, sk: _sk, rank: _rank, expires: _expires, ...stored }: Item): StoredStatement =>
  stored as unknown as StoredStatement;

/** DynamoDB removes the item of a failed statement some time after it is not listed any more. */
const isListed = (stored: StoredStatement, now: Date): boolean =>
  stored.status !== "failed" || listedUntil(stored) * 1_000 > now.getTime();

/** Reads a statement; undefined if it does not exist, or failed too long ago. */
export async function readStatement(
  table: Table,
  crbId: string,
  statementId: string,
  now: Date = table.clock.now(),
): Promise<StoredStatement | undefined> {
  const item = await table.get(statementKey(crbId, statementId), { consistent: true });
  const stored = item?.id === undefined ? undefined : toStored(item);
  return stored && isListed(stored, now) ? stored : undefined;
}

/**
 * Reads a page of a CRB's statements, newest first. The read is eventually consistent.
 *
 * @throws ServiceError "invalid" on `query.cursor` if the cursor is of another list
 */
export async function listStatements(
  table: Table,
  crbId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<CursorPage<StoredStatement>> {
  const list = statementsPartition(crbId);
  const items = await readRanked(table, list, query.cursor);
  const listed = items.map(toStored).filter((stored) => isListed(stored, table.clock.now()));
  return cursorPage(list, listed, query, rankOf);
}

/**
 * Stores a change of a statement, with further writes and events, in one transaction.
 *
 * @returns the stored statement
 * @throws StatementChangedError if the statement has changed since it was read; AssociationEndedError if there are events after the
 *   end of the association; ServiceError "unavailable" if every attempt conflicts
 */
export async function changeStatement(
  table: Table,
  before: StoredStatement,
  change: Partial<StoredStatement>,
  clock: Clock,
  { writes = [], events = [] }: { writes?: readonly TransactWriteItem[]; events?: readonly NewEvent[] } = {},
): Promise<StoredStatement> {
  const after: StoredStatement = { ...before, ...change, version: before.version + 1 };
  const { sp_id: spId, crb_id: crbId } = after;
  const all = [
    table.putWrite(statementItem(after), unchanged("version", before.version)),
    ...(events.length > 0 ? [table.checkWrite(associationKey(spId, crbId), exists)] : []),
    ...(isOpen(after) ? [] : [table.deleteWrite(statementDueKey(after.created_date, crbId, after.id))]),
    ...writes,
  ];
  await retryOnConflict(clock, async () => {
    try {
      await commitWithEvents(table, { writes: all, events }, clock);
    } catch (error) {
      if (isUnmet(error, 0)) throw new StatementChangedError();
      throw events.length > 0 && isUnmet(error, 1) ? new AssociationEndedError() : error;
    }
  });
  return after;
}

/**
 * A statement as the API returns it.
 *
 * @param linkOf returns the link of a file; without it, the files have none
 */
export function toStatement(stored: StoredStatement, linkOf: (file: StoredFile) => FileLink = () => noLink): Statement {
  const { id, crb_id, start_date, end_date, format, compare_with, status, error } = stored;
  const { created_date, created_by, created_by_person, as_of, sha256, files } = stored;
  return {
    ...{ id, crb_id, start_date, end_date, format, compare_with, status, error, created_date, created_by },
    created_by_person: toPerson(created_by_person),
    ...{ as_of, sha256 },
    files: files.map((file) => ({ name: file.name, bytes: file.bytes, sha256: file.sha256, ...linkOf(file) })),
  };
}
