import type { Key } from "./key.ts";

/** The statements of a CRB, and how many were made. */
export const statementsPartition = (crbId: string): string => `CRB#${crbId}#STATEMENT`;

export const statementKey = (crbId: string, id: string): Key => ({ pk: statementsPartition(crbId), sk: id });

/** The position of a statement in the list, newest first. */
export const statementRank = (created: string, statementId: string): string => `${created}#${statementId}`;

export const storedStatementsKey = (crbId: string): Key => statementKey(crbId, "STORED");

/** The number of statements of a CRB that were created on a UTC day. */
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
