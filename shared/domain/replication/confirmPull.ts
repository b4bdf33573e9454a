import type { ReplicationState } from "./replicationState.ts";

/** What replication remembers of pulls that a later pull must confirm. */
export type ConfirmationState = Pick<ReplicationState, "unconfirmed" | "empty_since" | "in_stock">;

/** The stock that a pull leaves out. */
export interface OmittedStock {
  /** number of inventory records that have a quantity, including those that the pull created or restocked */
  inStock: number;
  /** number of those that the pull did not name */
  vanished: number;
}

/** How a pull ended, as far as its confirmation depends on that. */
export interface PullEnd {
  startedAt: Date;
  /** whether no answer of a POS can be wrong about it, because the POS type lacks these records */
  isCertain: boolean;
  /** whether it names everything that the POS has; see `PullPage.complete` */
  isComplete: boolean;
  /** whether it read from the very beginning and brought neither a record nor a rejected one */
  isEmpty: boolean;
  /** number of records that it created */
  created: number;
  /** undefined where the pull can take nothing to quantity 0 */
  stock: OmittedStock | undefined;
}

/**
 * Decides whether a pull must be confirmed by a later one, because a POS in trouble may answer with an empty or
 * shortened list and status 200. A pull waits if it is complete and leaves out most of the stock, or if it read
 * everything and brought nothing. A pull with a later start that comes to the same result confirms it. One that leaves
 * out most of what the waiting pull still named comes to another result, and waits itself.
 *
 * An incomplete pull can only prove that most of the stock is still there, which ends the wait.
 *
 * @returns the state after the pull; its `unconfirmed` is null when the pull may be applied
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
  const isMoreLeftOut = stock !== undefined && leavesOutMost(without(stock, waitingRecords));
  let isWaiting = isEmpty && !isConfirmedSince(empty_since);
  if (vanished > 0 && isComplete) isWaiting = isMoreLeftOut || !isConfirmedSince(unconfirmed?.since);
  else if (vanished > 0 && waitingRecords > 0) isWaiting = true;
  const isApplied = isComplete && !isWaiting;
  // An incomplete pull is no evidence that more records are gone.
  const records = isComplete ? vanished : Math.min(vanished, waitingRecords);
  return {
    unconfirmed: isWaiting ? { since: unconfirmed?.since ?? startedAt, records } : null,
    empty_since: isEmpty ? (empty_since ?? startedAt) : null,
    in_stock: stock && isApplied ? stock.inStock - stock.vanished : in_stock,
  };
}

function without({ inStock, vanished }: OmittedStock, records: number): OmittedStock {
  return { inStock: inStock - records, vanished: vanished - records };
}

/**
 * Whether a pull leaves out more than half of the stock, or all of it. Records that it created or restocked must not
 * outweigh those it leaves out, so the stock is the smaller one of what there was before and what there is now.
 */
function leavesOutMost({ inStock, vanished }: OmittedStock, stockBefore = inStock): boolean {
  return vanished > 0 && (vanished === inStock || 2 * vanished > Math.min(stockBefore, inStock));
}
