import type { Table } from "../client.ts";
import { lastSlot, type RankedList, rankNumber, rankOf, type Term } from "../keys.ts";
import { type DayWindow, loadDirectories } from "./directoryItems.ts";
import { dayTerm, type OrderName, type Places, readEntries, type TermsOf } from "./entries.ts";
import { joinStates, stateOf } from "./listState.ts";
import { countRecords, daysWithin } from "./pagePlan.ts";
import type { OpenPage, Page } from "./readPage.ts";
import { denseParts, readPlaced } from "./readPlaced.ts";

/** Which matches are wanted, in which order: windows of days by the order they are days of. */
export interface MatchQuery {
  offset: number;
  limit: number;
  order?: OrderName;
  windows?: Partial<Record<OrderName, DayWindow>>;
  /**
   * The customer that most matches belong to, where the list is also kept by customer: their records then stand together
   * and are read as densely as those of a page. Matches of others are read one by one. Asked for with the entries.
   */
  customerId?: () => Promise<string | undefined>;
}

/**
 * Begins to read the page of the records that have all the given values, in the list's order: reads the list's
 * directory, since whatever changes in the list may change what matches. Its `read` goes on.
 *
 * The entries of every term are read whole (about 65 bytes a match), records only those of the page. What an entry
 * leads to is held against the record: one that changed in between is left out.
 *
 * @param terms at least one
 */
export async function openMatches(
  table: Table,
  list: RankedList,
  terms: readonly Term[],
  query: MatchQuery,
  termsOf: TermsOf,
): Promise<OpenPage> {
  const order = list.orders.rank;
  const state = stateOf(order, await loadDirectories(table, order));
  const candidates = async (consistent: boolean) => {
    const [first = new Map<string, Places>(), ...others] = await Promise.all(
      terms.map((term) => readEntries(table, list, term, { consistent })),
    );
    return new Map([...first].filter(([id]) => others.every((other) => other.has(id))));
  };
  const isMatch = (record: Record<string, unknown>) => hasAll(termsOf(record), terms);
  return { state, read: () => readMatches(table, list, query, candidates, isMatch) };
}

/**
 * Begins to read the page of the records within a window of days of each order: reads the directories of both. Its `read`
 * goes on with the entries of the days of the narrower window, and with the records of the page.
 */
export async function openBothWindows(
  table: Table,
  list: RankedList,
  query: MatchQuery & { windows: Record<OrderName, DayWindow> },
): Promise<OpenPage> {
  const { rank, saleRank } = list.orders;
  if (!saleRank) throw new Error(`${list.pk} is not kept by sale day`);
  const { windows } = query;
  const [byRank, bySaleRank] = await Promise.all([
    loadDirectories(table, rank, windows.rank),
    loadDirectories(table, saleRank, windows.saleRank),
  ]);
  const days = daysWithin(byRank, windows.rank);
  const saleDays = daysWithin(bySaleRank, windows.saleRank);
  const candidates =
    countRecords(days) < countRecords(saleDays)
      ? (consistent: boolean) => entriesOfUpdateDays(table, list, names(days), windows.rank, consistent)
      : (consistent: boolean) => entriesOfDays(table, list, "saleRank", names(saleDays), consistent);
  return {
    state: joinStates(stateOf(rank, byRank), stateOf(saleRank, bySaleRank)),
    read: () => readMatches(table, list, query, candidates, () => true),
  };
}

/**
 * The entries of days by the order of updates. A record that changes leaves its day for the newest one: that is read when
 * all others have been, so that no record is met in neither.
 */
async function entriesOfUpdateDays(
  table: Table,
  list: RankedList,
  days: readonly string[],
  window: DayWindow,
  consistent: boolean,
): Promise<Map<string, Places>> {
  const read = (some: readonly string[]) => entriesOfDays(table, list, "rank", some, consistent);
  const sorted = days.toSorted();
  const older = await read(sorted.slice(0, -1));
  const since = { ...window, from: sorted.at(-1) ?? window.from };
  const directories = await loadDirectories(table, list.orders.rank, since);
  return new Map([...older, ...(await read(names(daysWithin(directories, since))))]);
}

const names = (days: readonly (readonly [string, unknown])[]) => days.map(([day]) => day);

async function entriesOfDays(
  table: Table,
  list: RankedList,
  order: OrderName,
  days: readonly string[],
  consistent: boolean,
): Promise<Map<string, Places>> {
  const found = await Promise.all(days.map((day) => readEntries(table, list, dayTerm(order, day), { consistent })));
  return new Map(found.flatMap((entries) => [...entries]));
}

/**
 * @param candidates gives the places of records that may match, as they are now where it is to be consistent
 * @param isMatch tells by a record whether it does
 */
async function readMatches(
  table: Table,
  list: RankedList,
  { offset, limit, order = "rank", windows = {}, customerId }: MatchQuery,
  candidates: (consistent: boolean) => Promise<Map<string, Places>>,
  isMatch: (record: Record<string, unknown>) => boolean,
): Promise<Page> {
  // A page of entries that are older than those of the page before could skip what had moved behind that since.
  const [customer, found] = await Promise.all([customerId?.(), candidates(offset > 0)]);
  const matches = [...found]
    .filter(([, places]) => isWithin(places, windows))
    .sort(([, a], [, b]) => (b[order] ?? 0) - (a[order] ?? 0));
  const page = new Map(matches.slice(offset, offset + limit));
  const parts = customer ? denseParts([...page.values()], [...found.values()]) : [];
  const items = await readPlaced(table, list, page, customer, parts);
  const bodies = new Map<string | undefined, string>();
  for (const { sk, body, rank, saleRank } of items) {
    const places = { rank: rankNumber(rank?.S ?? ""), ...(saleRank?.S && { saleRank: rankNumber(saleRank.S) }) };
    const text = body?.S ?? "";
    if (isWithin(places, windows) && isMatch(JSON.parse(text))) bodies.set(sk?.S, text);
  }
  return { total: matches.length, records: [...page.keys()].flatMap((id) => bodies.get(id) ?? []) };
}

/** Whether places lie within all windows (days inclusive). */
function isWithin(places: Places, windows: Partial<Record<OrderName, DayWindow>>): boolean {
  return Object.entries(windows).every(([order, { from, to }]) => {
    const place = places[order as OrderName] ?? 0;
    return (!from || place >= rankNumber(rankOf(from, 0))) && (!to || place <= rankNumber(rankOf(to, lastSlot)));
  });
}

function hasAll(present: readonly Term[], wanted: readonly Term[]): boolean {
  return wanted.every((term) => present.some(({ field, value }) => field === term.field && value === term.value));
}
