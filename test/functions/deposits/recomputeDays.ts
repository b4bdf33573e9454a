import { execFileSync } from "node:child_process";
import type { ReconciliationDay } from "../../../shared/api/schemas/reconciliation.ts";

/** What the program reads: the lists of the API. */
interface Lists {
  business_type: string | null | undefined;
  settings: object;
  sales_days: readonly object[];
  deposits: readonly object[];
  cash_counts: readonly object[];
}

const program = new URL("./reconcile.py", import.meta.url).pathname;

/** The reconciliation days without `revision`, as a program in Python computes them from the lists of the API. */
export function recomputeDays(lists: Lists): Omit<ReconciliationDay, "revision">[] {
  const out = execFileSync("python3", [program], { input: JSON.stringify(lists), maxBuffer: 2 ** 27 });
  return JSON.parse(out.toString());
}

/** A reconciliation day as the program computes it. */
export const withoutRevision = ({ revision, ...day }: ReconciliationDay) => day;
