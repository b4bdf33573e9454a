import { readDocuments, type StoredDocument } from "../documents/storedDocument.ts";
import { type Item, itemId, type Table } from "../table/client.ts";
import { type Crb, toCrb } from "../table/crbs.ts";
import { answersKey, crbKey } from "../table/keys.ts";
import { type Answers, toAnswers } from "./answers.ts";

/** All that a CRB's onboarding consists of, with the items of which a change must hold the versions. */
export interface Onboarding {
  crb: Crb;
  crbItem: Item;
  answers: Answers;
  answersItem: Item;
  /** Newest first, deleted ones included. */
  documents: StoredDocument[];
}

/** Reads it in one round; undefined when there is no such CRB. */
export async function readOnboarding(
  table: Table,
  crbId: string,
  options: { consistent?: boolean } = {},
): Promise<Onboarding | undefined> {
  const [items, documents] = await Promise.all([
    table.batchGet([crbKey(crbId), answersKey(crbId)], options),
    readDocuments(table, crbId, options),
  ]);
  const [crbItem, answersItem] = [crbKey(crbId), answersKey(crbId)].map((key) => items.get(itemId(key)));
  if (!crbItem || !answersItem) return undefined;
  return { crb: toCrb(crbItem), crbItem, answers: toAnswers(answersItem), answersItem, documents };
}
