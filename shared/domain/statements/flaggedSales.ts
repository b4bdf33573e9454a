import type { Table } from "../../store/client.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { listSales } from "../../store/sales.ts";
import { addDays } from "../../time/addDays.ts";
import type { FlaggedSale, StatementContent } from "./statementContent.ts";

/** Days of a window of flagged sales: only so short a window has no maximum number of them. */
const windowDays = 31;

const statuses = ["red_flag", "warning"] as const;

interface CheckedSale {
  id: string;
  local_date: string;
  total_paid: number | null;
  compliance_status: FlaggedSale["status"];
  compliance_exceptions: string[] | null;
  compliance_warnings: string[] | null;
}

/**
 * Reads the sales of some days that break a rule, by the index of their status.
 *
 * @returns the sales in the order of days and ids, and the number of damaged ones, which are left out
 */
export async function readFlaggedSales(
  table: Table,
  crbId: string,
  window: { start_date: string; end_date: string },
  pageSize = 1_000,
): Promise<{ sales: FlaggedSale[]; damaged: number }> {
  const found = new Map<string, FlaggedSale>();
  let damaged = 0;
  for (let from = window.start_date; from <= window.end_date; from = addDays(from, windowDays)) {
    const to = [addDays(from, windowDays - 1), window.end_date].sort()[0] as string;
    for (const compliance_status of statuses) {
      for (let offset = 0, isLast = false; !isLast; offset += pageSize) {
        const query = { compliance_status, start_date: from, end_date: to, offset, limit: pageSize };
        const { total, records } = await (await listSales(table, crbId, query)).read();
        for (const text of records) {
          if (text === damagedText) damaged++;
          else keep(found, JSON.parse(text));
        }
        // A page lacks the sales that have changed since their entries were read, so it may be shorter although others follow.
        isLast = offset + pageSize >= total;
      }
    }
  }
  const placeOf = ({ date, sale_id }: FlaggedSale) => date + sale_id;
  return { sales: [...found.values()].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)), damaged };
}

function keep(found: Map<string, FlaggedSale>, sale: CheckedSale): void {
  found.set(sale.id, {
    sale_id: sale.id,
    date: sale.local_date.slice(0, 10),
    status: sale.compliance_status,
    total_paid: sale.total_paid,
    exceptions: ruleIds(sale.compliance_exceptions),
    warnings: ruleIds(sale.compliance_warnings),
  });
}

/** Texts begin with the id of their rule. The statement repeats only the id, since the text may state facts about a person. */
const ruleIds = (texts: readonly string[] | null): string[] =>
  (texts ?? []).map((text) => text.slice(0, text.indexOf(": ")));

/** Counts the sales by rule, exceptions first. */
export function countByRule(sales: readonly FlaggedSale[]): StatementContent["checks"]["by_rule"] {
  const rows = (["exception", "warning"] as const).map((finding) => {
    const broken = sales.flatMap((sale) =>
      [...new Set(finding === "exception" ? sale.exceptions : sale.warnings)].map((rule_id) => ({ rule_id, sale })),
    );
    return [...Map.groupBy(broken, ({ rule_id }) => rule_id)]
      .map(([rule_id, found]) => ({
        rule_id,
        finding,
        sales: found.length,
        total_paid: found.reduce((sum, { sale }) => sum + (sale.total_paid ?? 0), 0),
      }))
      .sort((one, other) => (one.rule_id < other.rule_id ? -1 : 1));
  });
  return rows.flat();
}
