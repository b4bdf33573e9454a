import type { CompletedDays } from "../../store/salesDays/salesWeek.ts";

/** The sales days that are complete. */
export interface SalesDayProgress extends CompletedDays {
  /** Set by a rebuild: it can have added stored days up to `until` that are not complete yet. */
  is_rebuilt?: true;
}

/**
 * Counts of a run. `read` counts the rows that the POS returned, including repeated rows. `rejected` counts the records that
 * the connector or the writer rejected. `changed` includes the records that the POS no longer names and that were set to
 * quantity 0.
 */
export interface Counts {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** number of rejected records without a POS id */
  withoutId?: number;
  /** number of dropped rows that belong to other stores; an API for a whole organization returns such rows */
  foreign?: number;
  /** number of compared sales, and of sales with mismatched amounts among them (compareSums.ts) */
  compared?: number;
  mismatched?: number;
}

export const noCounts: Counts = { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 };

/** A result that is not applied until a later pull confirms it; see `confirmPull`. */
export interface Unconfirmed {
  /** start of the first pull that had this result, ISO 8601 UTC */
  since: string;
  /** number of inventory records that would be set to quantity 0; 0 if the pull read everything and got no records */
  records: number;
  /** the smallest ids of these records, by which a later pull shows whether it leaves out the same ones; absent with 0 records */
  sample?: readonly string[];
}

/** How far stored sales have been checked by the present rules (`recheckSales`). */
export interface SaleCheckProgress {
  /** the version of the rules, and the state of the CRB; empty if an operator requests a check */
  by: string;
  /** the next day to check, yyyy-MM-dd; null if all are checked */
  next: string | null;
  /** the first day that these rules check, or have checked, yyyy-MM-dd; null if they have checked all days */
  until: string | null;
}

/** The version of the rules that have checked all sales of a day; null if that is not known. */
export function rulesVersionOf(progress: SaleCheckProgress | undefined, day: string): string | null {
  if (!progress || day < (progress.until ?? "") || (progress.next !== null && day <= progress.next)) return null;
  return progress.by.split(" ")[0] || null;
}

/** The item of a lease. It stays after the lease ends, because the next run and the operator need its facts. */
export interface ReplicationState {
  /** fencing token: every new holder of the lease raises it, and every write of a holder checks it */
  fence: number;
  /** epoch milliseconds; 0 if the lease is free */
  held_until: number;
  /** watermark of the last finished run; null if the next run must read everything */
  since: string | null;
  /** position in the POS where the present run continues; null if no run is in progress */
  position: string | null;
  /**
   * number of items with the positions of the records that the present run has seen; a worker stores them for the next worker
   */
  seen_parts: number | null;
  /** start of the present or last run of this connection, ISO 8601 UTC; null before the first run */
  started_at: string | null;
  /** end of the last finished run, ISO 8601 UTC */
  succeeded_at: string | null;
  /** start of the last finished run, ISO 8601 UTC */
  succeeded_from?: string | null;
  /** end of the first run of this connection that read everything, ISO 8601 UTC */
  first_succeeded_at?: string | null;
  /**
   * The time zone of the CRB in which all records were read. Null before the first full reading, and from a change of the
   * time zone until the next full reading has finished.
   */
  timezone?: string | null;
  /** counts of the last finished run */
  succeeded_counts?: Counts | null;
  /** the result that waits for confirmation; null if no result waits */
  unconfirmed?: Unconfirmed | null;
  /**
   * if the last pull read everything and got no records: start of the first of these pulls in a row, ISO 8601 UTC; otherwise
   * null
   */
  empty_since?: string | null;
  /** number of inventory records with a quantity after the last complete pull that was applied; null if unknown */
  in_stock?: number | null;
  /** the time up to which all POS records are stored, ISO 8601 UTC; see `ReplicationLease.finish` */
  data_as_of?: string | null;
  /**
   * Set by a finished run that left no pending work: all changes are announced, no record is rejected, and the outbox is
   * empty. Every new holder of the lease resets it, so it is never true after a run that was killed.
   */
  caught_up?: true | null;
  /** the sales days that are complete; only for sales, and absent before the first full reading */
  sales_days_completed?: SalesDayProgress | null;
  /** only for sales, and absent before the first run */
  sale_checks?: SaleCheckProgress;
  /** why the last run failed: a code, never a message; null if it did not fail */
  error: string | null;
  /** number of failures in a row without a written page between them; rejections and other failures are separate series */
  attempts: number;
  /** time of the first of these failures, ISO 8601 UTC; null if there is none */
  failing_since?: string | null;
  /** end of the pause of planned runs after a failure, ISO 8601 UTC; null if there is no pause */
  not_before: string | null;
  counts: Counts;
  /** number of records that the run has to read; null if the POS does not report this number */
  total: number | null;
  /** when the position was last saved, ISO 8601 UTC; null before the first page of a run */
  saved_at?: string | null;
}
