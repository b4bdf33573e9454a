import { readDocuments, type StoredDocument } from "../documents/storedDocument.ts";
import { type Item, itemId, type Table } from "../table/client.ts";
import { systemClock } from "../table/clock.ts";
import { type Crb, toCrb } from "../table/crbs.ts";
import { answersKey, crbKey } from "../table/keys.ts";
import { StaleReadError, untilCommitted } from "../table/untilCommitted.ts";
import { type Answers, toAnswers, versionsOfDocuments } from "./answers.ts";

/** All that a CRB's onboarding consists of, with the items of which a change must hold the versions. */
export interface Onboarding {
  crb: Crb;
  crbItem: Item;
  answers: Answers;
  answersItem: Item;
  /** Newest first, deleted ones included. */
  documents: StoredDocument[];
}

/**
 * Reads it as it stood at one instant; undefined when there is no such CRB.
 *
 * @throws ServiceError "unavailable" when it changes faster than it can be read
 */
export function readOnboarding(table: Table, crbId: string): Promise<Onboarding | undefined> {
  return untilCommitted(systemClock, () => readOnboardingOnce(table, crbId));
}

/**
 * The same, for what is done again anyway when somebody else was faster.
 *
 * The documents are too many for one transaction, and a query may show a transaction half: so every transaction that
 * changes a document gives it the new version of the answers, and the answers the sum of all documents' versions. With no
 * version above the answers', no document is newer than these; with that sum, none is older.
 *
 * @throws StaleReadError, TransactionCanceledException when it is being changed
 */
export async function readOnboardingOnce(table: Table, crbId: string): Promise<Onboarding | undefined> {
  const items = await table.transactGet([crbKey(crbId), answersKey(crbId)]);
  const [crbItem, answersItem] = [crbKey(crbId), answersKey(crbId)].map((key) => items.get(itemId(key)));
  if (!crbItem || !answersItem) return undefined;
  const documents = await readDocuments(table, crbId);
  const sum = documents.reduce((versions, { version }) => versions + version, 0);
  if (
    sum !== versionsOfDocuments(answersItem) ||
    documents.some(({ version }) => version > Number(answersItem.version))
  ) {
    throw new StaleReadError(crbId);
  }
  return { crb: toCrb(crbItem), crbItem, answers: toAnswers(answersItem), answersItem, documents };
}
