import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { SalesDayProgress } from "../../../shared/domain/replication/replicationState.ts";
import { type Item, itemId } from "../../../shared/store/client.ts";
import { recordList, revisedDayKey, salesTotalsPartition } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { formatDigest } from "../../../shared/store/recordDigest.ts";
import { withRawText } from "../../../shared/store/recordText.ts";
import { daysOfWeek, type SalesDayTotals, toSalesWeek } from "../../../shared/store/salesDays/salesWeek.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import type { Observation } from "../realRules/observations.ts";

type Commit = Extract<Observation, { type: "committed" }>;

interface SalesDayEvent {
  id: string;
  type: string;
  data: { date: string; revision?: number };
}

/** A table as its commits leave it. */
interface State {
  sales: Map<string, { day: string; body: string }>;
  days: Map<string, SalesDayTotals>;
  dataAsOf: string | undefined;
  progress: SalesDayProgress | undefined;
  eventIds: Set<string>;
  /** By day, the highest revision that an event has reported. */
  announced: Map<string, number>;
}

/** Maximum number of days that events report after the first full reading (docs/spec.md#sales-days). */
const maxFirstEvents = 31;

/**
 * Checks each commit that concerns sales days (docs/spec.md#sales-days): a revision rises by one with each transaction that
 * changes sales of a complete day, and else stays; a day is completed once, after its end; an event is stored with each
 * completion, and reports each revision at most once. The totals themselves are compared after each round.
 */
export class SalesDayJournal {
  readonly #faults: string[];
  readonly #timezone: string;
  readonly #rebuilder: string;
  readonly #salesPk: string;
  readonly #totalsPk: string;
  readonly #stateId: string;
  readonly #waitingSuffix: string;
  readonly #tables = new Map<string, State>();

  /**
   * @param rebuilder the actor that corrects totals, even if no sale changes
   * @param faults receives the faults
   */
  constructor(crbId: string, timezone: string, rebuilder: string, faults: string[]) {
    this.#faults = faults;
    this.#timezone = timezone;
    this.#rebuilder = rebuilder;
    this.#salesPk = recordList(crbId, "sale").pk;
    this.#totalsPk = salesTotalsPartition(crbId);
    this.#stateId = itemId(replicationKey(crbId, "sale"));
    this.#waitingSuffix = `WAITING#${crbId}`;
  }

  /**
   * Takes the items of a restored table.
   *
   * @param isTorn whether the items hold only a part of a transaction, so that a revision may lack its event
   */
  begin(table: string, items: readonly Item[], isTorn: boolean): void {
    const state = this.#stateOf(table);
    for (const item of items) {
      this.#takeSale(state, item);
      this.#takeState(state, item);
      for (const [day, totals] of this.#weekIn(item)?.days ?? []) state.days.set(day, totals);
      for (const event of newEvents(state, this.#textsIn(item))) noteRevision(state, event);
    }
    const pending = new Set(items.map(itemId));
    for (const [day, { revision }] of isTorn ? state.days : []) {
      state.announced.set(day, pending.has(itemId(revisedDayKey(this.#totalsPk, day))) ? 0 : revision);
    }
  }

  /** Complete days whose last revision no event has reported. */
  unannounced(table: string): string[] {
    const { days, announced } = this.#stateOf(table);
    return [...days]
      .filter(([day, { revision }]) => (announced.get(day) ?? 0) !== revision)
      .map(([day, { revision }]) => `${day}: revision ${revision} has no event, the last one is ${announced.get(day)}`);
  }

  commit({ changes, actor }: Commit): void {
    const state = this.#stateOf(changes[0]?.table ?? "");
    const items = changes.flatMap(({ pk, sk, item }) =>
      item && this.#concerns({ pk, sk }) ? [unmarshall(withRawText(item)) as Item] : [],
    );
    const sold = new Set(items.flatMap((item) => this.#takeSale(state, item)));
    const completed: string[] = [];
    for (const item of items) {
      const week = this.#weekIn(item);
      for (const day of week ? daysOfWeek(item.sk) : []) {
        const [before, after] = [state.days.get(day), week?.days.get(day)];
        const isChanged = actor === this.#rebuilder ? hasOtherSales(before, after) : sold.has(day);
        this.#checkDay(state, day, before, after, isChanged);
        if (!isChanged && !before?.completedAt && after?.completedAt) completed.push(day);
        if (after) state.days.set(day, after);
        else state.days.delete(day);
      }
    }
    this.#checkEvents(
      state,
      newEvents(
        state,
        items.flatMap((item) => this.#textsIn(item)),
      ),
      completed,
    );
    for (const item of items) this.#takeState(state, item);
  }

  #checkDay(
    { dataAsOf }: State,
    day: string,
    before: SalesDayTotals | undefined,
    after: SalesDayTotals | undefined,
    isChanged: boolean,
  ): void {
    const [from = null, to = null] = [before?.completedAt, after?.completedAt];
    if (from !== null && to !== from) this.#faults.push(`${day}: completed at ${to} after ${from}`);
    const isOver = dataAsOf !== undefined && this.#dayOf(dataAsOf) > day;
    if (from === null && to !== null && !isOver) this.#faults.push(`${day}: complete with data as of ${dataAsOf}`);
    const [revision = 0, expected] = [after?.revision, to && (before?.revision ?? 0) + Number(isChanged)];
    if (revision !== (expected ?? 0)) this.#faults.push(`${day}: revision ${revision} instead of ${expected ?? 0}`);
  }

  #checkEvents(state: State, events: readonly SalesDayEvent[], completed: readonly string[]): void {
    const { progress, days, dataAsOf = "" } = state;
    const isReported = (day: string) =>
      (progress && (!progress.is_rebuilt || day > progress.until)) ||
      day >= addDays(this.#dayOf(dataAsOf), -maxFirstEvents);
    const expected = completed.filter(isReported).map((date) => {
      const { figures, digest } = days.get(date) as SalesDayTotals;
      const { records = 0, total_paid = 0 } = figures;
      return JSON.stringify({ date, records, total_paid, digest: formatDigest(digest) });
    });
    const found = events.flatMap(({ type, data }) => (type === "sales_day.completed" ? JSON.stringify(data) : []));
    if (String(found.sort()) !== String(expected.sort()))
      this.#faults.push(`events of completed days: ${found} instead of ${expected}`);
    for (const event of events.filter(({ type }) => type === "sales_day.revised")) {
      const { date, revision } = event.data;
      const [present, reported] = [days.get(date)?.revision, state.announced.get(date) ?? 0];
      if (revision !== present) this.#faults.push(`${date}: an event has revision ${revision}, the day ${present}`);
      if (revision === reported) this.#faults.push(`${date}: revision ${revision} is reported again`);
      noteRevision(state, event);
    }
  }

  #concerns({ pk, sk }: { pk: string; sk: string }): boolean {
    return [this.#salesPk, this.#totalsPk].includes(pk) || itemId({ pk, sk }) === this.#stateId || this.#isWaiting(sk);
  }

  #isWaiting(sk: string): boolean {
    return sk.endsWith(this.#waitingSuffix);
  }

  /** @returns the days whose sales the item changes */
  #takeSale({ sales }: State, { pk, sk, body }: Item): string[] {
    if (pk !== this.#salesPk) return [];
    const [before, day] = [sales.get(sk), JSON.parse(body as string).local_date.slice(0, 10) as string];
    sales.set(sk, { day, body: body as string });
    if (before?.body === body) return [];
    return [day, ...(before ? [before.day] : [])];
  }

  #weekIn(item: Item) {
    return item.pk === this.#totalsPk && /^\d/.test(item.sk) ? toSalesWeek(item) : undefined;
  }

  #takeState(state: State, item: Item): void {
    if (itemId(item) !== this.#stateId) return;
    state.dataAsOf = (item.data_as_of as string | null) ?? undefined;
    state.progress = (item.sales_days_completed as SalesDayProgress | null) ?? undefined;
  }

  #textsIn({ sk, waiting, body }: Item): string[] {
    if (this.#isWaiting(sk)) return waiting as string[];
    return /^EVENT#/.test(sk) ? [body as string] : [];
  }

  #dayOf(instant: string): string {
    return localDay(new Date(instant), this.#timezone);
  }

  #stateOf(table: string): State {
    const state = this.#tables.get(table) ?? {
      sales: new Map(),
      days: new Map(),
      dataAsOf: undefined,
      progress: undefined,
      eventIds: new Set<string>(),
      announced: new Map(),
    };
    this.#tables.set(table, state);
    return state;
  }
}

const contentOf = (totals: SalesDayTotals | undefined) =>
  JSON.stringify([Object.entries(totals?.figures ?? {}).filter(([, value]) => value !== 0), totals?.digest]);

function hasOtherSales(before: SalesDayTotals | undefined, after: SalesDayTotals | undefined): boolean {
  return contentOf(before) !== contentOf(after);
}

/** The events of sales days among some events that are stored for the first time. */
function newEvents({ eventIds }: State, texts: readonly string[]): SalesDayEvent[] {
  const events = texts.map((text) => JSON.parse(text) as SalesDayEvent).filter(({ id }) => !eventIds.has(id));
  for (const { id } of events) eventIds.add(id);
  return events.filter(({ type }) => type.startsWith("sales_day."));
}

function noteRevision({ announced }: State, { data: { date, revision = 0 } }: SalesDayEvent): void {
  announced.set(date, Math.max(revision, announced.get(date) ?? 0));
}
