import { type Key, key, nameParts, ofCrb } from "./key.ts";

/** The statements of a CRB, and how many were made. */
export const statementsPartition = (crbId: string): string => ofCrb(crbId, "STATEMENT");

export const statementKey = (crbId: string, id: string): Key => key(statementsPartition(crbId), id);

export const storedStatementsKey = (crbId: string): Key => statementKey(crbId, "STORED");

/** The statements that are not made yet, oldest first. */
export const statementsDuePartition = "STATEMENTS_DUE";

export const statementDueKey = (created: string, crbId: string, statementId: string): Key =>
  key(statementsDuePartition, created, crbId, statementId);

export const parseStatementDueKey = (sk: string) => nameParts(sk, "created", "crbId", "statementId");
