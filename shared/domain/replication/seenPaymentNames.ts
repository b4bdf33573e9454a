import { isUploaded } from "../../api/pos/posTypes.ts";
import { type PosPayment, type PosSale, posIdOf } from "../../pos/posRecords.ts";
import type { Table } from "../../store/client.ts";
import { paymentNamesKey } from "../../store/keys/replication.ts";
import { transactFenced } from "../../store/orderedList/fence.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { withoutInvisible } from "../../text/invisible.ts";
import { DistinctCount } from "./distinctCount.ts";
import type { RunContext } from "./runContext.ts";

/** The names of means of payment in a CRB's POS, for the operator. */
interface NamesItem {
  names: { name: string | null; type: PosPayment["type"]; sales: Uint8Array }[];
}

/** A name, the type that it was read as, and the sales that were paid so. */
export interface SeenPaymentName {
  /** null if the POS gives no name */
  name: string | null;
  type: PosPayment["type"];
  sales: DistinctCount;
}

/** Most names of an item; with their counts they take 63 KB. Rarer names become one name for each type. */
const maxNames = 40;
export const rarerNames = "(rarer names)";
const maxCharacters = 40;

/** Reads the names of a CRB, in no particular order. */
export async function readPaymentNames(table: Table, crbId: string): Promise<SeenPaymentName[]> {
  const item = (await table.get(paymentNamesKey(crbId), { consistent: true })) as NamesItem | undefined;
  return (item?.names ?? []).map((one) => ({ ...one, sales: new DistinctCount(one.sales) }));
}

/**
 * The names of means of payment that a run reads. They begin again with each reading of all sales, except for uploads:
 * each file adds its sales. A page that is read twice changes nothing.
 */
export class SeenPaymentNames {
  readonly #context: RunContext;
  /** whether this process begins a reading of all sales */
  readonly #isFromStart: boolean;
  #names: Map<string, SeenPaymentName> | undefined;

  constructor(context: RunContext, { since, position }: { since: string | null; position: string | null }) {
    this.#context = context;
    this.#isFromStart = since === null && position === null && !isUploaded(context.connection.posType);
  }

  async recordPage(sales: readonly PosSale[]): Promise<void> {
    const { table, connection } = this.#context;
    // A run that finds no sales writes nothing, also one that begins from the start because the POS never had any.
    if (sales.every(({ payments }) => payments.length === 0)) return;
    let isChanged = false;
    this.#names ??= new Map(
      this.#isFromStart ? [] : (await readPaymentNames(table, connection.crbId)).map((one) => [keyOf(one), one]),
    );
    for (const sale of sales) {
      const id = JSON.stringify([connection.posType, posIdOf("sale", sale)]);
      for (const { pos_name, type } of sale.payments) {
        const seen = { name: shownName(pos_name), type };
        const known = this.#names.get(keyOf(seen)) ?? { ...seen, sales: new DistinctCount() };
        this.#names.set(keyOf(seen), known);
        isChanged = known.sales.add(id) || isChanged;
      }
    }
    if (isChanged) await this.#store(this.#names);
  }

  async #store(names: Map<string, SeenPaymentName>): Promise<void> {
    foldRarest(names);
    const { table, fence, clock, cutOff, connection } = this.#context;
    const item: NamesItem = { names: [...names.values()].map((one) => ({ ...one, sales: one.sales.bytes })) };
    const write = table.putWrite({ ...paymentNamesKey(connection.crbId), ...item });
    await retryOnConflict(clock, () => transactFenced(table, fence, [write]), { deadline: cutOff });
  }
}

const keyOf = ({ name, type }: { name: string | null; type: string }): string => JSON.stringify([name, type]);

/**
 * A name without what could be a person's data or a number of a card, a check or an account: digits become `#`, mail
 * addresses and other handles `@`. A long name is cut.
 */
function shownName(name: string | undefined): string | null {
  if (!name) return null;
  const masked = withoutInvisible(name.slice(0, 1_000))
    .replace(/\S*@\S*/g, "@")
    .replace(/\p{N}+/gu, "#");
  return [...masked].slice(0, maxCharacters).join("");
}

/** Counts the rarest names together, so that free text cannot fill the item. */
function foldRarest(names: Map<string, SeenPaymentName>): void {
  const ranked = [...names.values()]
    .filter(({ name }) => name !== rarerNames)
    .sort((one, other) => other.sales.count - one.sales.count);
  for (const rare of ranked.slice(maxNames)) {
    names.delete(keyOf(rare));
    const folded = { name: rarerNames, type: rare.type };
    const known = names.get(keyOf(folded)) ?? { ...folded, sales: new DistinctCount() };
    known.sales.merge(rare.sales);
    names.set(keyOf(folded), known);
  }
}
