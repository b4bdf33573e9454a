import type { Item, Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { maxEventsOfType, type NewEvent } from "../../store/eventLog/newEvent.ts";
import { groupsOf } from "../../store/groups.ts";
import {
  dayOutboxPrefix,
  flaggedDayPrefix,
  revisedDayPrefix,
  salesTotalsPartition,
} from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { loadSalesWeeks, mondayOf, type SalesDayTotals, totalsOf } from "../../store/salesDays/salesWeek.ts";
import { addDays } from "../../time/addDays.ts";
import type { Clock } from "../../time/clock.ts";
import type { ReplicationState } from "./replicationState.ts";

/** Maximum number of days in a transaction with events. Each day takes a deletion and the writes of an event. */
const maxDays = 25;
/** Maximum number of deletions in a transaction. */
const maxDeletions = 100;

export interface AnnounceOptions {
  /**
   * Report no day before the end of an interrupted run, a first full reading, or a full reading in another time zone. Its
   * later time slices change further days.
   */
  waitsForRun?: boolean;
}

/** An outbox of days: the prefix of its items, their fields that events repeat, and the event of a day. */
interface Outbox {
  prefix: string;
  fields: readonly string[];
  /** Whether the event has figures of the day's present totals; otherwise they are not read. */
  needsTotals?: true;
  /** The event of a day; undefined if nothing is left to report. */
  toEvent(date: string, item: Item, totals: SalesDayTotals): Pick<NewEvent, "type" | "data"> | undefined;
  /** the first day that is reported, by when the first full reading ended */
  firstDay?(firstReadAt: string): string;
}

const outboxes: readonly Outbox[] = [
  {
    prefix: revisedDayPrefix,
    fields: ["revision"],
    toEvent: (date, { revision }) => ({ type: "sales_day.revised", data: { date, revision: revision as number } }),
  },
  {
    prefix: flaggedDayPrefix,
    fields: ["red_flag", "warning"],
    // The counts may have fallen since the item was stored.
    needsTotals: true,
    toEvent: (date, _, { figures }) => {
      const [red_flag, warning] = [figures["red_flag.count"] ?? 0, figures["warning.count"] ?? 0];
      return red_flag + warning > 0 ? { type: "sales_day.flagged", data: { date, red_flag, warning } } : undefined;
    },
    firstDay: (firstReadAt) => addDays(firstReadAt.slice(0, 10), -maxEventsOfType),
  },
];

/**
 * Records an event for each complete sales day that was changed, and for each day with more flagged sales, for the newest 31 of
 * each at most (docs/spec.md#sales-days). The transaction that records the events also deletes the outbox items of these days, unless
 * the days have changed again. So each change is reported once, or is included in the report of a later one. The outbox items of
 * older days are deleted first, so that a worker that is killed leaves no further days to report.
 *
 * @returns whether no day waits for the end of a run
 * @throws ServiceError "unavailable" if the table cannot be reached, or every attempt conflicts with another writer
 */
export async function announceSalesDays(
  table: Table,
  crbId: string,
  clock: Clock,
  { waitsForRun = false }: AnnounceOptions = {},
): Promise<boolean> {
  return retryOnConflict(clock, () => announce(table, crbId, clock, waitsForRun));
}

async function announce(table: Table, crbId: string, clock: Clock, waitsForRun: boolean): Promise<boolean> {
  const items = await table.queryPartition(salesTotalsPartition(crbId), { prefix: dayOutboxPrefix, consistent: true });
  if (items.length === 0) return true;
  const state = await readState(table, crbId);
  if (waitsForRun && isReading(state)) return false;
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb || crb.endedAt) return true;
  // Sequentially, because all events of a CRB are of one shard, whose transactions exclude each other.
  for (const outbox of outboxes) {
    const ofOutbox = items.filter(({ sk }) => sk.startsWith(outbox.prefix));
    await report(table, clock, { spId: crb.serviceProviderId, crbId }, outbox, ofOutbox, state);
  }
  return true;
}

async function report(
  table: Table,
  clock: Clock,
  owners: { spId: string; crbId: string },
  { prefix, fields, needsTotals, toEvent, firstDay }: Outbox,
  items: readonly Item[],
  state: ReplicationState | undefined,
): Promise<void> {
  const dayOf = ({ sk }: Item) => sk.slice(prefix.length);
  const oldest = (state?.first_succeeded_at && firstDay?.(state.first_succeeded_at)) || "";
  const reported = items.slice(-maxEventsOfType).filter((item) => dayOf(item) >= oldest);
  for (const part of groupsOf(items.slice(0, items.length - reported.length), maxDeletions)) {
    await table.transact(part.map((item) => deletion(table, item, fields)));
  }
  const mondays = needsTotals ? reported.map(dayOf).map(mondayOf) : [];
  const weeks = await loadSalesWeeks(table, salesTotalsPartition(owners.crbId), mondays);
  const totals = (day: string) => totalsOf(weeks.get(mondayOf(day)), day);
  for (const part of groupsOf(reported, maxDays)) {
    const events = part.flatMap((item): NewEvent[] => {
      const event = toEvent(dayOf(item), item, totals(dayOf(item)));
      return event ? [{ ...event, ...owners } as NewEvent] : [];
    });
    await commitWithEvents(table, { writes: part.map((item) => deletion(table, item, fields)), events }, clock);
  }
}

async function readState(table: Table, crbId: string): Promise<ReplicationState | undefined> {
  return (await table.get(replicationKey(crbId, "sale"), { consistent: true })) as ReplicationState | undefined;
}

/** Whether a run, or a full reading that comes first in its shop or time zone, has not ended yet. */
function isReading(state: ReplicationState | undefined): boolean {
  return state !== undefined && (state.position !== null || !state.first_succeeded_at || !state.timezone);
}

/** Deletes the outbox item of a day, on condition that the day has not changed again. */
function deletion(table: Table, item: Item, fields: readonly string[]) {
  const values = Object.fromEntries(fields.map((field) => [`:${field}`, item[field]]));
  const expression = fields.map((field) => `${field} = :${field}`).join(" AND ");
  return table.deleteWrite({ pk: item.pk, sk: item.sk }, { expression, values });
}
