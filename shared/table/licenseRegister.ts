import { createHash } from "node:crypto";
import type { License } from "../api/schemas/license.ts";
import { itemId, type Table } from "./client.ts";
import { registerIntentKey, registerIntents, registerKey } from "./keys.ts";
import { listsOf } from "./licenseTerms.ts";
import { changePackedLists } from "./packedListWriter.ts";
import { packTransactions } from "./rankedList/packTransactions.ts";

/** A licence as a register has it; what it says nothing of among the three dates, the import fills in. */
export interface RegisterLicense {
  /** The same for the same licence in every file of its state. */
  id: string;
  content: Omit<License, Dates> & { [Name in Dates]: string | null };
}

type Dates = "created_at" | "updated_at" | "edited_at";

export interface StoreResult {
  created: number;
  changed: number;
  unchanged: number;
}

/** A licence as stored: `hash` tells whether the register's row has changed. */
interface Stored {
  hash: string;
  created: string;
  body: string;
}

/** What an import is about to do with a licence; written before, removed with the last of it. */
interface Intent {
  state: string;
  id: string;
  before?: string;
  after: Stored;
}

/**
 * Stores licences of a state's register, and brings every list they stand in up to date. Those that have not changed
 * cost one read. Cut off at any point, it is finished by `finishIntents`.
 *
 * @param now stands in for the dates that the register does not tell
 */
export async function storeLicenses(
  table: Table,
  state: string,
  licenses: readonly RegisterLicense[],
  now: Date,
): Promise<StoreResult> {
  const stored = await table.batchGet(
    licenses.map(({ id }) => registerKey(state, id)),
    { consistent: true },
  );
  const result = { created: 0, changed: 0, unchanged: 0 };
  const intents: Intent[] = [];
  for (const { id, content } of licenses) {
    const before = stored.get(itemId(registerKey(state, id))) as Stored | undefined;
    const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
    if (before?.hash === hash) {
      result.unchanged++;
      continue;
    }
    if (before) result.changed++;
    else result.created++;
    const moment = now.toISOString();
    const created = content.created_at ?? before?.created ?? moment;
    const license: License = {
      ...content,
      created_at: created,
      updated_at: content.updated_at ?? moment,
      edited_at: content.edited_at ?? moment,
    };
    const after = { hash, created, body: JSON.stringify(license) };
    intents.push({ state, id, after, ...(before && { before: before.body }) });
  }
  const writes = intents.map((intent) => table.putWrite({ ...registerIntentKey(state, intent.id), ...intent }));
  await inTransactions(table, intents, (_, index) => writes.slice(index, index + 1));
  await carryOut(table, intents);
  return result;
}

/** Carries out what an import that was cut off has left. Only for whoever holds the import. */
export async function finishIntents(table: Table): Promise<void> {
  const items = await table.queryPartition(registerIntents.pk, { prefix: registerIntents.prefix, consistent: true });
  await carryOut(table, items as unknown as Intent[]);
}

async function carryOut(table: Table, intents: readonly Intent[]): Promise<void> {
  const changes = new Map<string, Map<string, string | null>>();
  const change = (intent: Intent, body: string, kept: boolean) => {
    const license = JSON.parse(body) as License;
    const key = `${license.updated_at} ${intent.state} ${intent.id}`;
    for (const pk of listsOf(license)) {
      const ofList = changes.get(pk) ?? new Map<string, string | null>();
      changes.set(pk, ofList.set(key, kept ? body : null));
    }
  };
  for (const intent of intents) {
    if (intent.before) change(intent, intent.before, false);
    change(intent, intent.after.body, true);
  }
  await changePackedLists(table, changes);
  await inTransactions(table, intents, ({ state, id, after }) => [
    table.putWrite({ ...registerKey(state, id), ...after }),
    table.deleteWrite(registerIntentKey(state, id)),
  ]);
}

async function inTransactions(
  table: Table,
  intents: readonly Intent[],
  writesOf: (intent: Intent, index: number) => Parameters<Table["transact"]>[0],
): Promise<void> {
  const elements = intents.map((intent, index) => ({ intent, writes: writesOf(intent, index) }));
  const batches = packTransactions(elements, ({ intent, writes }) => ({
    ids: writes.map((_, i) => `${intent.id} ${i}`),
    bytes: 2 * (intent.after.body.length + (intent.before?.length ?? 0)),
    group: "",
  }));
  for (const batch of batches) await table.transact(batch.flatMap(({ writes }) => writes));
}
