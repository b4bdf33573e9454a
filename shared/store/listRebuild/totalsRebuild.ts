import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Item, RawItem, Table } from "../client.ts";
import { indexingOf } from "../indexingOptions.ts";
import { dayOutboxPrefix, flaggedDayPrefix, type OrderedList } from "../keys/orderedLists.ts";
import { addDigests, digestRecord, emptyDigest, type RecordDigest } from "../recordDigest.ts";
import { addFigures, type DayFigures, isSameFigures } from "../salesDays/dayFigures.ts";
import {
  applyContributions,
  type ContributionChange,
  flaggedSales,
  mondayOf,
  readSalesWeeks,
  type SalesDayTotals,
  totalsOf,
  totalsWrites,
} from "../salesDays/salesWeek.ts";
import { isDamaged, recordOf } from "./listRules.ts";

const noSales = { figures: {} as DayFigures, digest: emptyDigest };

/** Computes the digest of a list and the totals of its sales days from the records alone. */
export class TotalsRebuild {
  readonly #list: OrderedList;
  readonly #days = new Map<string, typeof noSales>();
  /** The days of damaged sales. Their stored totals stay. */
  readonly #unknownDays = new Set<string>();
  #digest = emptyDigest;

  constructor(list: OrderedList) {
    this.#list = list;
  }

  /** The digest of all added records; undefined if the list has no digest. */
  get digest(): RecordDigest | undefined {
    return this.#list.orders.rank.hasDigest ? this.#digest : undefined;
  }

  add(item: RawItem): void {
    const { extractSaleDay, extractFigures } = indexingOf(this.#list);
    if (!this.#list.orders.rank.hasDigest) return;
    const record = isDamaged(item) ? { svc_created_date: item.updated?.S ?? item.created?.S ?? "" } : recordOf(item);
    const digest = digestRecord(item.sk?.S ?? "", record);
    this.#digest = addDigests(this.#digest, digest);
    if (isDamaged(item)) this.#unknownDays.add((item.saleRank?.S ?? "").slice(0, 10));
    else if (extractSaleDay && extractFigures) {
      const day = extractSaleDay(record);
      const before = this.#days.get(day) ?? noSales;
      const figures = addFigures(before.figures, extractFigures(record));
      this.#days.set(day, { figures, digest: addDigests(before.digest, digest) });
    }
  }

  /**
   * Compares the stored totals with those of the added records. A corrected day that was complete counts as revised.
   *
   * @param at time of the change, ISO 8601 UTC
   * @returns the number of days that differ, and the writes that correct them
   */
  async changes(table: Table, at: string): Promise<{ days: number; writes: TransactWriteItem[] }> {
    const { totalsPartition: partition } = this.#list;
    if (!partition) return { days: 0, writes: [] };
    // Read first: a revision of the meantime is then in the totals, and its day does not count as different.
    const outbox = await table.queryPartition(partition, { prefix: dayOutboxPrefix, consistent: true });
    const stored = new Map((await readSalesWeeks(table, partition)).map((week) => [week.monday, week]));
    const changes: ContributionChange[] = [];
    const days = new Set([...this.#days.keys(), ...[...stored.values()].flatMap((week) => [...week.days.keys()])]);
    for (const day of days.difference(this.#unknownDays)) {
      const before = totalsOf(stored.get(mondayOf(day)), day);
      const expected = this.#days.get(day) ?? noSales;
      const isSame = isSameFigures(before.figures, expected.figures) && before.digest.join() === expected.digest.join();
      if (!isSame) changes.push({ from: { day, ...before }, to: { day, ...expected } });
    }
    const changed = applyContributions(stored, changes, at);
    const writes = totalsWrites(table, partition, stored, changed);
    const written = new Set(writes.map(({ Put }) => Put?.Item?.sk));
    const wrong = outbox.filter((item) => !written.has(item.sk) && isWrong(item, totalsOfOutbox(item)));
    function totalsOfOutbox({ sk }: Item): SalesDayTotals {
      const day = sk.slice(-"yyyy-MM-dd".length);
      return totalsOf(changed.get(mondayOf(day)) ?? stored.get(mondayOf(day)), day);
    }
    return {
      days: changes.length + wrong.filter((item) => (item.revision as number) > totalsOfOutbox(item).revision).length,
      writes: [
        ...writes,
        ...wrong.map((item) => {
          const { pk, sk } = item;
          const next = fieldsOf(item, totalsOfOutbox(item));
          const hasChange = Object.values(next).some((value) => value > 0);
          return hasChange ? table.putWrite({ pk, sk, ...next }) : table.deleteWrite({ pk, sk });
        }),
      ],
    };
  }
}

const fieldsOf = ({ sk }: Item, totals: SalesDayTotals): Record<string, number> =>
  sk.startsWith(flaggedDayPrefix) ? flaggedSales(totals) : { revision: totals.revision };

/** An outbox item repeats the revision of its day. Its flagged sales may have become fewer, but not more. */
const isWrong = (item: Item, totals: SalesDayTotals): boolean =>
  Object.entries(fieldsOf(item, totals)).some(([name, value]) => {
    const stored = item[name] as number;
    return name === "revision" ? stored !== value : stored > value;
  });
