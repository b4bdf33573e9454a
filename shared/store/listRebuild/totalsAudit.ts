import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { RawItem, Table } from "../client.ts";
import { revisedDayPrefix } from "../keys/orderedLists.ts";
import { addDigests, digestRecord, emptyDigest, type RecordDigest } from "../recordDigest.ts";
import { addFigures, type DayFigures, isSameFigures } from "../salesDays/dayFigures.ts";
import { readSalesWeeks } from "../salesDays/readSalesWeeks.ts";
import {
  applyContributions,
  type ContributionChange,
  mondayOf,
  totalsOf,
  totalsWrites,
} from "../salesDays/salesWeek.ts";
import { isDamaged, type ListRules, recordOf } from "./listRules.ts";

/** Computes the digest of a list and the totals of its sales days from the records alone. */
export class TotalsAudit {
  readonly #table: Table;
  readonly #rules: ListRules;
  readonly #days = new Map<string, { figures: DayFigures; digest: RecordDigest }>();
  /** The days of damaged sales. Their stored totals stay. */
  readonly #unknownDays = new Set<string>();
  #digest = emptyDigest;

  constructor(table: Table, rules: ListRules) {
    this.#table = table;
    this.#rules = rules;
  }

  /** The digest of all added records; undefined if the list has no digest. */
  get digest(): RecordDigest | undefined {
    return this.#rules.list.orders.rank.hasDigest ? this.#digest : undefined;
  }

  /** Call it for each item of the list. */
  add(item: RawItem): void {
    const { list, finding } = this.#rules;
    if (!list.orders.rank.hasDigest) return;
    const id = item.sk?.S ?? "";
    if (isDamaged(item)) {
      const svc_created_date = item.updated?.S ?? item.created?.S ?? "";
      this.#digest = addDigests(this.#digest, digestRecord(id, { svc_created_date }));
      this.#unknownDays.add((item.saleRank?.S ?? "").slice(0, 10));
      return;
    }
    const record = recordOf(item);
    const digest = digestRecord(id, record);
    this.#digest = addDigests(this.#digest, digest);
    if (!list.totalsPartition || !finding?.extractSaleDay || !finding.extractFigures) return;
    const day = finding.extractSaleDay(record);
    const before = this.#days.get(day) ?? { figures: {}, digest: emptyDigest };
    this.#days.set(day, {
      figures: addFigures(before.figures, finding.extractFigures(record)),
      digest: addDigests(before.digest, digest),
    });
  }

  /**
   * Compares the stored totals with those of the added records.
   *
   * @param at the time of the change, ISO 8601 UTC
   * @returns the number of days that differ, and the writes that correct them. A corrected day that was complete counts as
   *   revised. A restore with a part of a transaction may also leave the outbox item of a revision that the day does not have
   */
  async changes(at: string): Promise<{ days: number; writes: TransactWriteItem[] }> {
    const { totalsPartition } = this.#rules.list;
    if (!totalsPartition) return { days: 0, writes: [] };
    // Read first: a revision of the meantime is then in the totals, and its day does not count as different.
    const outbox = await this.#table.queryPartition(totalsPartition, { prefix: revisedDayPrefix, consistent: true });
    const stored = new Map((await readSalesWeeks(this.#table, totalsPartition)).map((week) => [week.monday, week]));
    const changes: ContributionChange[] = [];
    const days = new Set([...this.#days.keys(), ...[...stored.values()].flatMap((week) => [...week.days.keys()])]);
    for (const day of days.difference(this.#unknownDays)) {
      const before = totalsOf(stored.get(mondayOf(day)), day);
      const expected = this.#days.get(day) ?? { figures: {}, digest: emptyDigest };
      const isSame = isSameFigures(before.figures, expected.figures) && before.digest.join() === expected.digest.join();
      if (!isSame) changes.push({ from: { day, ...before }, to: { day, ...expected } });
    }
    const changed = applyContributions(stored, changes, at);
    const wrong = outbox.flatMap(({ pk, sk, revision }) => {
      const day = sk.slice(revisedDayPrefix.length);
      const present = totalsOf(stored.get(mondayOf(day)), day).revision;
      const isRevised = totalsOf(changed.get(mondayOf(day)), day).revision > present;
      return isRevised || present === revision
        ? []
        : [{ key: { pk, sk }, present, isAhead: (revision as number) > present }];
    });
    return {
      days: changes.length + wrong.filter(({ isAhead }) => isAhead).length,
      writes: [
        ...totalsWrites(this.#table, totalsPartition, stored, changed),
        ...wrong.map(({ key, present }) =>
          present === 0 ? this.#table.deleteWrite(key) : this.#table.putWrite({ ...key, revision: present }),
        ),
      ],
    };
  }
}
