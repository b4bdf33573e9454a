import type { Key } from "./key.ts";

/** The statements of a CRB, and how many were made. */
export const statementsPartition = (crbId: string): string => `CRB#${crbId}#STATEMENT`;

/** A statement. In the index `byRank`, its rank sorts it by its creation. */
export const statementKey = (crbId: string, statementId: string): Key => ({
  pk: statementsPartition(crbId),
  sk: statementId,
});

/** The position of a statement in the list, newest first. */
export const statementRank = (created: string, statementId: string): string => `${created}#${statementId}`;

/** How many statements of a CRB are stored. No statement has this range key. */
export const storedStatementsKey = (crbId: string): Key => statementKey(crbId, "STORED");

/**
 * How many statements of a CRB were created on a day.
 *
 * @param day UTC day
 */
export const statementCountKey = (crbId: string, day: string): Key => statementKey(crbId, `DAY#${day}`);

/** The statements that are not made yet, oldest first. */
export const statementsDuePartition = "STATEMENTS_DUE";

export const statementDueKey = (created: string, crbId: string, statementId: string): Key => ({
  pk: statementsDuePartition,
  sk: `${created}#${crbId}#${statementId}`,
});

/** The CRB and the statement in a range key of `statementDueKey`. */
export function parseStatementDueKey(sk: string): { crbId: string; statementId: string } {
  const [, crbId = "", statementId = ""] = sk.split("#");
  return { crbId, statementId };
}
