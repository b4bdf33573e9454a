import { type Item, itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { answersKey } from "../../store/keys/onboarding.ts";
import { retryOnConflict, StaleReadError } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readDocuments, type StoredDocument } from "../documents/storedDocument.ts";
import { type Answers, toAnswers, versionsOfDocuments } from "./answers.ts";

/** The complete onboarding of a CRB, with the items whose versions a change checks. */
export interface Onboarding {
  crb: Crb;
  crbItem: Item;
  answers: Answers;
  answersItem: Item;
  /** Newest first, deleted ones included. */
  documents: StoredDocument[];
}

/**
 * Reads the onboarding as of one instant; undefined if the CRB does not exist.
 *
 * @throws ServiceError "unavailable" if it changes faster than it can be read
 */
export function readOnboarding(
  table: Table,
  crbId: string,
  clock: Clock = systemClock,
): Promise<Onboarding | undefined> {
  return retryOnConflict(clock, (isLast) => readOnboardingOnce(table, crbId, isLast));
}

/**
 * `readOnboarding` without retries, for callers that retry themselves.
 *
 * There are too many documents for one transactional read, and a query may return only some of the writes of a
 * transaction. Therefore this function reads the answers, then the documents, and checks that both belong to the same
 * state. Each transaction gives the changed document the new version of the answers, and stores the sum of all document
 * versions with the answers. If no document has a higher version than the answers, no document is newer than the
 * answers. If the sum matches as well, no document is older than the answers.
 *
 * @param asItIs accepts answers and documents of different states. After a transaction, queries return all its writes
 * within moments. A lasting difference comes from a restored backup that contains only some writes of a transaction.
 * The next change of the onboarding removes the difference
 * @throws StaleReadError, TransactionCanceledException if a change is in progress
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
