import type { ReplicationState, Unconfirmed } from "./replicationState.ts";

/** The stored facts that decide whether a pull must be confirmed by a later pull. */
export type ConfirmationState = Pick<ReplicationState, "unconfirmed" | "empty_since" | "in_stock">;

/** Counts of the inventory after a complete pull, before the missing records are set to quantity 0. */
export interface OmittedStock {
  /** number of inventory records that have a quantity, including records that the pull created or restocked */
  inStock: number;
  /** number of these records that the pull did not name */
  vanished: number;
  /** the smallest ids of the records that the pull did not name */
  sample?: readonly string[];
  /** the same counts of the records in the sample of the waiting result */
  ofWaitingSample?: { inStock: number; vanished: number };
}

/** The facts about the end of a pull that its confirmation depends on. */
export interface PullEnd {
  startedAt: Date;
  /** whether the POS type has no records of this kind, so that an empty result needs no confirmation */
  isCertain: boolean;
  /** whether the pull names every record that the POS has; see `PullPage.complete` */
  isComplete: boolean;
  /** whether the pull read everything from the beginning and got neither accepted nor rejected records */
  isEmpty: boolean;
  /** number of records that the pull created */
  created: number;
  /** undefined if the pull cannot set any record to quantity 0 */
  stock: OmittedStock | undefined;
}

/**
 * Decides whether a later pull must confirm the result of this pull before missing records are set to quantity 0. A faulty POS
 * may return an empty or shortened list with status 200.
 *
 * - A result waits for confirmation if the pull was complete and left out most of the stock, or if it read everything and got
 *   no records.
 * - A waiting result is confirmed by a pull that started later and has the same result.
 * - If an earlier result waits and this pull leaves out most of the records that the earlier pull still named, the results
 *   differ. The result of this pull then has to wait, too. How many records both leave out follows from a sample: two partial
 *   lists of similar length can leave out different records.
 * - An incomplete pull cannot confirm that records are missing. But if it names most of the stock, it ends the wait.
 *
 * @returns the state after the pull; if `unconfirmed` is null, the result may be applied
 */
export function confirmPull(before: ConfirmationState, end: PullEnd): Required<ConfirmationState> {
  const { isCertain, isComplete, stock } = end;
  const isEmpty = end.isEmpty && !isCertain;
  const { unconfirmed = null, empty_since = null, in_stock = null } = before;
  const startedAt = end.startedAt.toISOString();
  const isConfirmedSince = (since: string | undefined | null) => since != null && since < startedAt;
  const stockBefore = in_stock ?? (stock?.inStock ?? 0) - end.created;
  const vanished = !isCertain && stock && leavesOutMost(stock, stockBefore) ? stock.vanished : 0;
  const waitingRecords = unconfirmed?.records ?? 0;
  const isMoreLeftOut = stock !== undefined && leavesOutMost(stillNamed(stock, unconfirmed));
  let isWaiting = isEmpty && !isConfirmedSince(empty_since);
  if (vanished > 0 && isComplete) isWaiting = isMoreLeftOut || !isConfirmedSince(unconfirmed?.since);
  else if (vanished > 0 && waitingRecords > 0) isWaiting = true;
  const isApplied = isComplete && !isWaiting;
  // An incomplete pull does not prove that more records are missing.
  const records = isComplete ? vanished : Math.min(vanished, waitingRecords);
  const sample = isComplete ? stock?.sample : unconfirmed?.sample;
  const waiting = { since: unconfirmed?.since ?? startedAt, records, ...(records > 0 && sample && { sample }) };
  return {
    unconfirmed: isWaiting ? waiting : null,
    empty_since: isEmpty ? (empty_since ?? startedAt) : null,
    in_stock: stock && isApplied ? stock.inStock - stock.vanished : in_stock,
  };
}

/** The records that an earlier pull, whose result waits, still named, and those of them that this pull leaves out. */
function stillNamed({ inStock, vanished, ofWaitingSample }: OmittedStock, waiting: Unconfirmed | null): OmittedStock {
  const { records = 0 } = waiting ?? {};
  // Records that an interrupted run has set to 0 are not in stock any more.
  const share = ofWaitingSample?.inStock ? ofWaitingSample.vanished / ofWaitingSample.inStock : 1;
  return { inStock: inStock - records, vanished: vanished - Math.round(records * share) };
}

/**
 * Whether a pull leaves out more than half of the stock, or all of it. The omitted records are compared with the smaller of two
 * numbers: the stock before the pull and the stock after it. Otherwise many new or restocked records could hide the omission.
 */
function leavesOutMost({ inStock, vanished }: OmittedStock, stockBefore = inStock): boolean {
  return vanished > 0 && (vanished === inStock || 2 * vanished > Math.min(stockBefore, inStock));
}
