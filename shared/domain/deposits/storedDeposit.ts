import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Deposit, DepositRequest } from "../../api/schemas/deposit.ts";
import { type Item, itemId, type Table, unchanged } from "../../store/client.ts";
import { depositKey } from "../../store/keys/deposits.ts";
import { datedRank } from "../../store/keys/key.ts";
import type { DaySums } from "./daySums.ts";

/** A deposit as it is stored. */
export interface StoredDeposit {
  deposit: Deposit;
  /** Raised by every replacement; the first is 1. */
  version: number;
}

/** The day on which a deposit counts, yyyy-MM-dd. */
export const dayOf = ({ business_date, posted_date }: Pick<Deposit, "business_date" | "posted_date">): string =>
  business_date ?? posted_date;

/** The position of a deposit in the list. */
export const rankOf = (deposit: Deposit): string => datedRank(dayOf(deposit), deposit.id);

export function toDeposit({ id, posted_date, amount, type, ...rest }: DepositRequest): Deposit {
  const { business_date = null, excluded_reason = null } = rest;
  return { id, posted_date, amount, type, business_date, excluded_reason };
}

/** Reads deposits consistently, by their ids. */
export async function loadDeposits(
  table: Table,
  crbId: string,
  ids: readonly string[],
): Promise<Map<string, StoredDeposit>> {
  const keys = ids.map((id) => depositKey(crbId, id));
  const items = await table.batchGet(keys, { consistent: true });
  return new Map(
    keys.flatMap((key) => {
      const item = items.get(itemId(key));
      return item ? [[key.sk, toStored(item)] as const] : [];
    }),
  );
}

export function toStored({ sk: id, version, ...item }: Item): StoredDeposit {
  const { posted_date, amount, type, business_date = null, excluded_reason = null } = item as unknown as Deposit;
  return { deposit: { id, posted_date, amount, type, business_date, excluded_reason }, version: version as number };
}

export function isSame(one: Deposit, other: Deposit): boolean {
  return (Object.keys(one) as (keyof Deposit)[]).every((name) => one[name] === other[name]);
}

/** The write of a deposit, on condition that no other request has changed it. */
export function depositWrite(
  table: Table,
  crbId: string,
  deposit: Deposit,
  before: StoredDeposit | undefined,
): TransactWriteItem {
  const { id, business_date, excluded_reason, ...fields } = deposit;
  const item = {
    ...depositKey(crbId, id),
    rank: rankOf(deposit),
    version: (before?.version ?? 0) + 1,
    ...fields,
    ...(business_date && { business_date }),
    ...(excluded_reason && { excluded_reason }),
  };
  return table.putWrite(item, unchanged("version", before?.version));
}

export function depositDeletion(table: Table, crbId: string, { deposit, version }: StoredDeposit): TransactWriteItem {
  return table.deleteWrite(depositKey(crbId, deposit.id), unchanged("version", version));
}

/** The changes of days that deposits make. An amount is added to its day by `add`, and taken out by `remove`. */
export class DayChanges {
  readonly #changes = new Map<string, { cash: number; cashDeposits: number; card: number }>();

  add(deposit: Deposit): void {
    this.#count(deposit, 1);
  }

  remove(deposit: Deposit): void {
    this.#count(deposit, -1);
  }

  /** The changes for `changeSums`. */
  get days(): Map<string, (sums: DaySums) => DaySums> {
    const entries = [...this.#changes].map(([day, change]) => {
      const apply = (sums: DaySums): DaySums => ({
        ...sums,
        cash: sums.cash + change.cash,
        cashDeposits: sums.cashDeposits + change.cashDeposits,
        card: sums.card + change.card,
      });
      return [day, apply] as const;
    });
    return new Map(entries);
  }

  #count(deposit: Deposit, sign: 1 | -1): void {
    const { type, amount, excluded_reason } = deposit;
    if (excluded_reason !== null || (type !== "cash" && type !== "card")) return;
    const day = dayOf(deposit);
    const { cash, cashDeposits, card } = this.#changes.get(day) ?? { cash: 0, cashDeposits: 0, card: 0 };
    this.#changes.set(day, {
      cash: cash + (type === "cash" ? sign * amount : 0),
      cashDeposits: cashDeposits + (type === "cash" && amount > 0 ? sign : 0),
      card: card + (type === "card" ? sign * amount : 0),
    });
  }
}
