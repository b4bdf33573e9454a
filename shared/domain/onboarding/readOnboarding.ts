import { type Item, itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { answersKey } from "../../store/keys/onboarding.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readDocuments, type StoredDocument } from "../documents/storedDocument.ts";
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
export function readOnboarding(
  table: Table,
  crbId: string,
  clock: Clock = systemClock,
): Promise<Onboarding | undefined> {
  return retryOnConflict(clock, (isLast) => readOnboardingOnce(table, crbId, isLast));
}

/**
 * The same, for what is done again anyway when somebody else was faster.
 *
 * The documents are too many for one transaction, and a query may show a transaction half: so every transaction that
 * changes a document gives it the new version of the answers, and the answers the sum of all documents' versions. With no
 * version above the answers', no document is newer than these; with that sum, none is older.
 *
 * @param asItIs takes what does not fit, too: as nothing is shown half for seconds, that is how it was left by a restored
 *   backup, which may cut a transaction. The next change mends it
 * @throws StaleReadError, TransactionCanceledException when it is being changed
 */
export async function readOnboardingOnce(
  table: Table,
  crbId: string,
  asItIs: boolean,
): Promise<Onboarding | undefined> {
  const items = await table.transactGet([crbKey(crbId), answersKey(crbId)]);
  const [crbItem, answersItem] = [crbKey(crbId), answersKey(crbId)].map((key) => items.get(itemId(key)));
  if (!crbItem || !answersItem) return undefined;
  const documents = await readDocuments(table, crbId);
  if (!asItIs && !areOneState(answersItem, documents)) throw new StaleReadError(crbId);
  return { crb: toCrb(crbItem), crbItem, answers: toAnswers(answersItem), answersItem, documents };
}

function areOneState(answersItem: Item, documents: readonly StoredDocument[]): boolean {
  const sum = versionsOfDocuments(answersItem);
  if (sum === undefined) return true;
  const isNoneNewer = documents.every(({ version }) => version <= Number(answersItem.version));
  return isNoneNewer && documents.reduce((versions, { version }) => versions + version, 0) === sum;
}
