import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import { recordKinds } from "../../api/kinds.ts";
import type { CrbOverview, Matter } from "../../api/schemas/overview.ts";
import type { SalesDay } from "../../api/schemas/salesDay.ts";
import { cashRange } from "../../insights/cashRange.ts";
import { itemId, type Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { addDays } from "../../time/addDays.ts";
import { localDay } from "../../time/localTime.ts";
import { type Reconciliation, readReconciliation } from "../deposits/readReconciliation.ts";
import type { Link } from "../linkedLicenses/link.ts";
import { licenseDay, statusOn } from "../linkedLicenses/linkStatus.ts";
import { readSalesDays } from "../replication/readSalesDays.ts";
import type { Intervals } from "../replication/replicationIntervals.ts";
import type { ReplicationState } from "../replication/replicationState.ts";
import { determineReplicationState, readingTimes } from "../replication/replicationStatus.ts";

/** The part of a row that a sweep computes. */
export type OverviewFigures = Pick<CrbOverview, "data" | "sales_days" | "flagged_sales" | "license" | "balance"> & {
  matters: Matter[];
};

/** The stored facts from which the figures of a CRB follow, next to those that are read. */
export interface RowSources {
  crb: Crb;
  links: readonly Link[];
  /** Whether the CRB has deposits, cash counts or settings of the reconciliation. */
  hasDeposits: boolean;
  intervals: Intervals;
  now: Date;
}

/** Days whose sales are read. */
const readDays = 30;
const shownDays = 7;

/**
 * Computes the figures of a CRB. Reads some 10 units, and some 8 more for a CRB with deposits.
 *
 * @throws ServiceError "unavailable" if the list of sales has no totals, or the table cannot be reached
 */
export async function computeFigures(table: Table, sources: RowSources): Promise<OverviewFigures> {
  const { crb, links, hasDeposits, now } = sources;
  const { id, timezone } = crb.record;
  const since = addDays(localDay(now, timezone), 1 - readDays);
  const [{ days }, data, reconciled] = await Promise.all([
    readSalesDays(table, id, { start_date: since, offset: 0, limit: readDays + 1 }),
    readData(table, sources),
    hasDeposits ? readReconciliation(table, id, { from: since, limit: readDays + 1 }) : undefined,
  ]);
  const sum = (status: keyof SalesDay["by_compliance"]) =>
    days.reduce((total, day) => total + day.by_compliance[status].count, 0);
  const { license, matters } = summarizeLicenses(links, licenseDay(now));
  return {
    data: data.data,
    sales_days: days.slice(0, shownDays).map((day) => toOverviewDay(day, reconciled)),
    flagged_sales: {
      ...{ red_flag: sum("red_flag"), warning: sum("warning") },
      ...{ svc_checked: sum("svc_checked"), unchecked: sum("unchecked"), since },
    },
    license,
    balance: balanceOf(reconciled),
    matters: [...matters, ...data.matters],
  };
}

/** The states of a replication, the gravest first. A kind that the POS does not have says nothing. */
const dataStates = ["failing", "late", "not_connected", "paused", "waiting", "initial", "manual", "current"] as const;

async function readData(
  table: Table,
  { crb, intervals, now }: RowSources,
): Promise<{ data: NonNullable<CrbOverview["data"]>; matters: Matter[] }> {
  const keys = recordKinds.map((kind) => replicationKey(crb.record.id, kind));
  const items = await table.batchGet(keys);
  const kinds = recordKinds.map((kind, i) => {
    const item = items.get(itemId(keys[i] as (typeof keys)[number]));
    const state = item as unknown as ReplicationState | undefined;
    const status = { kind, state, due: undefined, rejected: 0 };
    return { kind, state, status: determineReplicationState(crb, status, intervals, now) };
  });
  const state = dataStates.find((each) => kinds.some(({ status }) => status === each)) ?? "not_available";
  const matters = (["failing", "late"] as const).flatMap((each): Matter[] => {
    const those = kinds.filter(({ status }) => status === each);
    const times = those.map(({ state: stored }) =>
      each === "failing" ? (stored?.failing_since ?? stored?.started_at) : stored?.succeeded_at,
    );
    const [since] = times.filter((time) => time != null).sort();
    return since ? [{ code: `data_${each}`, since, count: those.length, id: null }] : [];
  });
  const { data_as_of } = readingTimes(crb, kinds.find(({ kind }) => kind === "sale")?.state);
  return { data: { state, data_as_of }, matters };
}

function balanceOf(reconciled: Reconciliation | undefined): CrbOverview["balance"] {
  const { days = [] } = reconciled ?? {};
  const newest = days.findLast(({ status }) => status !== "not_compared") ?? days.at(-1);
  if (!newest) return null;
  const { date, status, balance_low, balance_high, days_since_deposit } = newest;
  return { date, status, balance_low, balance_high, days_since_deposit };
}

/** The cash of a day as the reconciliation has it, which knows the means of payment that are never cash. */
function toOverviewDay(
  { date, total_paid, complete, by_payment, unknown_totals, unknown_paid_amounts }: SalesDay,
  reconciled: Reconciliation | undefined,
): CrbOverview["sales_days"][number] {
  const day = reconciled?.days.find((each) => each.date === date);
  const amounts = Object.fromEntries(by_payment.map(({ type, amount }) => [`${type}.amount`, amount]));
  const { low, high } = cashRange(amounts);
  const [cash_sales_low, cash_sales_high] = [day?.cash_sales_low ?? low, day?.cash_sales_high ?? high];
  return { date, total_paid, cash_sales_low, cash_sales_high, unknown_totals, unknown_paid_amounts, complete };
}

/** The statuses of a linked license, the gravest first. */
const licenseStatuses: readonly LinkedLicenseStatus[] = [
  "inactive",
  "expired",
  "missing",
  "expiring",
  "unknown",
  "active",
];

function summarizeLicenses(links: readonly Link[], today: string): Pick<OverviewFigures, "license" | "matters"> {
  const states = links.map((link) => ({ id: link.names.licenseId, link, ...statusOn(link, today) }));
  const matters = (["inactive", "expired", "missing", "expiring"] as const).flatMap((status): Matter[] => {
    const those = states.filter((each) => each.status === status);
    const [oldest] = those.sort((one, other) => (one.statusDate < other.statusDate ? -1 : 1));
    return oldest ? [{ code: `license_${status}`, since: oldest.statusDate, count: those.length, id: oldest.id }] : [];
  });
  const [next_expiry = null] = links
    .flatMap(({ expiresAt }) => expiresAt ?? [])
    .filter((day) => day >= today)
    .sort();
  const status = licenseStatuses.find((each) => states.some((state) => state.status === each)) ?? null;
  return { license: { status, count: links.length, next_expiry }, matters };
}
