import { type Compliance, checkSale } from "../../saleChecks/checkSale.ts";
import type { CheckedSale, SaleRule } from "../../saleChecks/saleRule.ts";
import { rulesVersion, saleRules } from "../../saleChecks/saleRules.ts";
import type { Table } from "../../store/client.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { indexingOptions } from "../../store/indexingOptions.ts";
import { type OrderedList, recordKey, salesTotalsPartition } from "../../store/keys/orderedLists.ts";
import { RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { readSalesOfDay } from "../../store/sales.ts";
import { readSalesWeeks } from "../../store/salesDays/salesWeek.ts";
import { addDays } from "../../time/addDays.ts";
import { localDay } from "../../time/localTime.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import type { SaleCheckProgress } from "./replicationState.ts";
import type { RunContext } from "./runContext.ts";

/** How far back sales are checked again when a rule or the state of a CRB changes (docs/spec.md#sale-checks). */
const recheckedDays = 90;
/**
 * Sales of one run, at most one day more: the run that fetches new sales must not wait longer than a few seconds. A run without
 * a deadline, of an uploaded file, checks all of them: the next file may come in a month.
 */
const maxSales = 1_000;
const pageSize = 500;
/** A POS may date a sale in the future. */
const lastDay = "9999-12-31";

/**
 * Checks stored sales again if a rule or the CRB's state has changed, or an operator has requested it: one part of the days in each
 * run of sales, the newest day first. Call it under the lease of sales. A worker that is killed repeats one part at most.
 *
 * @param onWrite called before sales are written
 * @throws LeaseLostError; OutOfTimeError; ServiceError "unavailable" if the table cannot be reached
 */
export async function recheckSales(
  context: RunContext,
  list: OrderedList,
  lease: ReplicationLease,
  onWrite: () => void,
): Promise<void> {
  const { table, connection, clock, deadline, fence } = context;
  const { state, timezone } = connection;
  const by = `${rulesVersion} ${state}`;
  const before = lease.saleChecks;
  // All stored sales were checked when they were stored.
  if (!before) return lease.saveSaleChecks({ by, next: null, until: null });
  const oldest = addDays(localDay(clock.now(), timezone), -recheckedDays);
  const progress = before.by === by ? before : { by, next: lastDay, until: earlier(unfinishedUntil(before), oldest) };
  // Figures of the new rules must not have the version of the old ones.
  if (progress !== before) await lease.saveSaleChecks(progress);
  const { next, until } = progress;
  if (next === null || until === null) return;
  const options = { fence, clock, deadline: context.cutOff, ...indexingOptions.sale };
  const completedDays = lease.completedDays;
  const writer = new RecordWriter(table, list, { ...options, completedDays });
  let checked = 0;
  for (const day of await daysWithSales(context, until, next)) {
    const isOver = deadline && (checked >= maxSales || clock.now() >= deadline);
    const ids = isOver ? undefined : await salesOfDay(table, list, day);
    if (!ids) return lease.saveSaleChecks({ by, next: day, until });
    checked += ids.length;
    for (let start = 0; start < ids.length; start += pageSize) {
      const stored = await readStored(table, list, ids.slice(start, start + pageSize));
      const changed = stored.map((sale) => recheck(sale, state)).filter((content) => content !== undefined);
      if (changed.length > 0) onWrite();
      await writer.write(changed.map((content) => ({ id: content.id as string, content })));
    }
  }
  await lease.saveSaleChecks({ by, next: null, until });
}

/**
 * The ids of a day's sales, read before any is written: a written sale takes another position in its day. Undefined if the index
 * does not show all of them yet.
 */
async function salesOfDay(table: Table, list: OrderedList, day: string): Promise<string[] | undefined> {
  const texts: string[] = [];
  let count = 0;
  for await (const { records, total } of readSalesOfDay(table, list, day)) {
    texts.push(...records);
    count = total;
  }
  if (texts.length < count) return undefined;
  return texts.flatMap((text) => (text === damagedText ? [] : JSON.parse(text).id));
}

/** The days of a window with stored sales, newest first. */
async function daysWithSales({ table, connection }: RunContext, from: string, to: string): Promise<string[]> {
  const weeks = await readSalesWeeks(table, salesTotalsPartition(connection.crbId), { from, to });
  return weeks
    .flatMap(({ days }) => [...days])
    .flatMap(([day, { figures }]) => (figures.records && day >= from && day <= to ? [day] : []))
    .sort()
    .reverse();
}

type StoredSale = CheckedSale & Compliance & Record<string, unknown>;

/** The stored sales as they are now: a page may be read late. */
async function readStored(table: Table, list: OrderedList, ids: readonly string[]): Promise<StoredSale[]> {
  const keys = ids.map((id) => recordKey(list, id));
  const items = await table.batchGet(keys, { consistent: true, attributes: ["body", "hash"] });
  return [...items.values()].flatMap(({ body }) => (body === damagedText ? [] : [JSON.parse(body as string)]));
}

/** The content of a sale whose compliance fields have changed; undefined if they are the same. */
function recheck(sale: StoredSale, state: string): Record<string, unknown> | undefined {
  if (sale.type !== "retail") return undefined;
  const found = withFindingsOfErased(checkSale(sale, state, saleRules), sale, state);
  const isSame = (Object.keys(found) as (keyof Compliance)[]).every(
    (name) => JSON.stringify(found[name]) === JSON.stringify(sale[name]),
  );
  return isSame ? undefined : { ...sale, ...found, svc_created_date: null, svc_updated_date: null };
}

/** Checks of the buyer; all others read the lines. */
const personChecks = ["minimum_age", "identification_expired", "medical_card_expired"];

/** A sale whose customer was erased keeps the findings about the customer, while their rules are enabled. */
function withFindingsOfErased(found: Compliance, sale: StoredSale, state: string): Compliance {
  // A sale to an unnamed person has a date of birth or a document, and is checked by them.
  if (Object.entries(sale.customer).some(([name, value]) => name !== "type" && value !== null)) return found;
  const kept = (texts: readonly string[] | null, severity: SaleRule["severity"]) =>
    (texts ?? []).filter((text) =>
      saleRules.some(
        (rule) =>
          text.startsWith(`${rule.id}: `) &&
          (rule.state ?? state) === state &&
          rule.enabled &&
          rule.severity === severity &&
          personChecks.includes(rule.check),
      ),
    );
  const exceptions = kept(sale.compliance_exceptions, "exception");
  const warnings = kept(sale.compliance_warnings, "warning");
  if (exceptions.length + warnings.length === 0) return found;
  const compliance_exceptions = [...new Set([...exceptions, ...(found.compliance_exceptions ?? [])])];
  const compliance_warnings = [...new Set([...warnings, ...(found.compliance_warnings ?? [])])];
  const compliance_status = compliance_exceptions.length > 0 ? "red_flag" : "warning";
  return { compliance_status, compliance_exceptions, compliance_warnings };
}

/** The first day of a check that is requested, or has begun and not ended. */
const unfinishedUntil = ({ by, next, until }: SaleCheckProgress) => (by === "" || next !== null ? until : null);

const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);

/** Makes the next run of sales check the stored sales since a day again, and those of a check that has not ended. */
export async function requestRecheck(lease: ReplicationLease, since: string): Promise<void> {
  // Sales that were never read are checked when they are stored.
  if (!lease.saleChecks) return;
  await lease.saveSaleChecks({ by: "", next: null, until: earlier(unfinishedUntil(lease.saleChecks), since) });
}
