import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { type DepositLimits, depositCases } from "../../insights/depositCodes.ts";
import { type Table, unchanged } from "../../store/client.ts";
import { depositCasesKey } from "../../store/keys/deposits.ts";
import { insightsDueKey } from "../../store/keys/insights.ts";
import { addDays } from "../../time/addDays.ts";
import type { Clock } from "../../time/clock.ts";
import type { Reconciliation } from "./readReconciliation.ts";

/** Days of cases that are kept: a week more than insights judge. */
const keptDays = 97;

/**
 * The writes that store the cases of the newest days, and that request the computation of insights.
 *
 * @returns none if the cases are stored already, or if no day is complete
 */
export function depositCaseWrites(
  table: Table,
  crbId: string,
  { days, settings, cases: stored }: Reconciliation,
  clock: Clock,
): TransactWriteItem[] {
  const { tolerance_amount, tolerance_percent, max_days_without_deposit } = settings;
  const limits: DepositLimits = { tolerance_amount, tolerance_percent, max_days_without_deposit };
  // Later days may be listed: of deposits that came before their sales, or of a sale with a wrong date.
  const newest = days.findLast(({ complete }) => complete)?.date;
  // Such as after a withdrawal of consent. Nothing is known then that would end a case.
  if (newest === undefined) return [];
  const from = addDays(newest, -keptDays);
  const cases = JSON.stringify(depositCases(days, limits).filter(({ date }) => date >= from));
  if (cases === (stored?.cases ?? "[]")) return [];
  const version = stored?.version as number | undefined;
  return [
    table.putWrite({ ...depositCasesKey(crbId), version: (version ?? 0) + 1, cases }, unchanged("version", version)),
    table.putWrite({ ...insightsDueKey(crbId), at: clock.now().toISOString() }),
  ];
}
