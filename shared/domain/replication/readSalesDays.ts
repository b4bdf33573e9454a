import type * as z from "zod";
import { paymentTypes } from "../../api/enumerations.ts";
import { notFound, ServiceError } from "../../api/errors.ts";
import type { salesDaysQuery } from "../../api/parameters.ts";
import type { SalesDay } from "../../api/schemas/salesDay.ts";
import { itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { recordList, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { formatDigest } from "../../store/recordDigest.ts";
import type { DayFigures, FigureName } from "../../store/salesDays/dayFigures.ts";
import { hasSalesTotals, readSalesWeeks, type SalesDayTotals } from "../../store/salesDays/salesWeek.ts";
import { localDay } from "../../time/localTime.ts";
import { type ReplicationState, rulesVersionOf, type SaleCheckProgress } from "./replicationState.ts";
import { readingTimes } from "./replicationStatus.ts";

/** The list of sales has no totals. The operator must rebuild it (docs/operations/totals-and-digests.md). */
class TotalsMissingError extends Error {
  override readonly name = "TotalsMissingError";
}

/**
 * Reads a page of a CRB's sales days (docs/spec.md#sales-days), newest day first. All reads are consistent. A year of
 * days takes about 13 read units.
 *
 * @returns the days of the page, and the number of all days in the window
 * @throws ServiceError "notFound" if the CRB does not exist; "unavailable" if its list of sales has no totals
 */
export async function readSalesDays(
  table: Table,
  crbId: string,
  { start_date, end_date, offset, limit }: z.output<typeof salesDaysQuery>,
): Promise<{ total: number; days: SalesDay[] }> {
  const stateKey = replicationKey(crbId, "sale");
  // The weeks are read after the state. So they hold all sales that were stored at `data_as_of` of the state.
  const [items, hasTotals] = await Promise.all([
    table.batchGet([crbKey(crbId), stateKey], { consistent: true }),
    hasSalesTotals(table, recordList(crbId, "sale")),
  ]);
  const item = items.get(itemId(crbKey(crbId)));
  if (!item) throw notFound("CRB");
  if (!hasTotals) throw new ServiceError("unavailable", { cause: new TotalsMissingError() });
  const crb = toCrb(item);
  const state = items.get(itemId(stateKey)) as unknown as ReplicationState | undefined;
  const reading = { ...readingTimes(crb, state), timezone: state?.timezone ?? null, sale_checks: state?.sale_checks };

  const window = { from: start_date, to: end_date };
  const weeks = await readSalesWeeks(table, salesTotalsPartition(crbId), window);
  const days = weeks
    .flatMap((week) => [...week.days])
    .filter(([day]) => (!start_date || day >= start_date) && (!end_date || day <= end_date))
    .sort(([one], [other]) => (one < other ? 1 : -1));
  return {
    total: days.length,
    days: days.slice(offset, offset + limit).map(([day, totals]) => toSalesDay(crb, reading, day, totals)),
  };
}

/** @param reading how far the sales were read, and the time zone in which all of them were read */
function toSalesDay(
  { record: { id, timezone } }: Crb,
  reading: ReturnType<typeof readingTimes> & { timezone: string | null; sale_checks: SaleCheckProgress | undefined },
  date: string,
  { figures, digest, updatedAt, completedAt, revision }: SalesDayTotals,
): SalesDay {
  const { data_as_of, initial_sync_completed_date } = reading;
  const figure = (name: FigureName) => figures[name] ?? 0;
  // After a change of the time zone, sales may still be on days of the former one.
  const isRead = initial_sync_completed_date !== null && reading.timezone === timezone;
  const isPast = data_as_of !== null && localDay(new Date(data_as_of), timezone) > date;
  return {
    crb_id: id,
    date,
    timezone,
    sales: figure("sales"),
    returns: figure("returns"),
    adjustments: figure("adjustments"),
    subtotal: figure("subtotal"),
    total_discounts: figure("total_discounts"),
    fees: figure("fees"),
    tax_paid: figure("tax_paid"),
    total_paid: figure("total_paid"),
    by_payment: paymentSums(figures),
    by_customer_type: {
      medical: countedSum(figures, "medical"),
      rec: countedSum(figures, "rec"),
      unknown: countedSum(figures, "unknown"),
    },
    gross_sales: figure("gross_sales"),
    by_compliance: {
      unchecked: countedSum(figures, "unchecked"),
      svc_checked: countedSum(figures, "svc_checked"),
      warning: countedSum(figures, "warning"),
      red_flag: countedSum(figures, "red_flag"),
    },
    rules_version: rulesVersionOf(reading.sale_checks, date),
    invoiced: figure("invoiced"),
    open_balance: figure("open_balance"),
    unknown_amounts: figure("unknown_amounts"),
    unknown_subtotals: figure("unknown_subtotals"),
    unknown_totals: figure("unknown_totals"),
    unknown_paid_amounts: figure("unknown_paid_amounts"),
    mismatched: figure("mismatched"),
    records: figure("records"),
    digest: formatDigest(digest),
    data_as_of,
    complete: completedAt !== null && isRead && isPast,
    completed_date: completedAt,
    revision,
    svc_updated_date: updatedAt,
  };
}

function paymentSums(figures: DayFigures): SalesDay["by_payment"] {
  return paymentTypes
    .map((type) => ({ type, count: figures[`${type}.payments`] ?? 0, amount: figures[`${type}.amount`] ?? 0 }))
    .filter(({ count }) => count > 0);
}

function countedSum(figures: DayFigures, type: keyof SalesDay["by_customer_type"] | keyof SalesDay["by_compliance"]) {
  return { count: figures[`${type}.count`] ?? 0, total_paid: figures[`${type}.total_paid`] ?? 0 };
}
