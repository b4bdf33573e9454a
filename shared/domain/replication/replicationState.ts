/**
 * Counts of a run. `read` counts the rows of the POS, including repetitions; `rejected` the records that the connector or the
 * writer rejected; `changed` includes vanished records.
 */
export interface Counts {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** rejected records without a POS id */
  nameless?: number;
  /** dropped rows of other stores, which an organization-wide API returned */
  foreign?: number;
  /** compared sales, and those with mismatched amounts (compareSums.ts) */
  compared?: number;
  odd?: number;
}

export const noCounts: Counts = { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 };

/** The result of a pull that is not applied until a later pull confirms it; see `confirmPull`. */
export interface Unconfirmed {
  /** start of the first pull that came to it, ISO 8601 UTC */
  since: string;
  /** number of inventory records that would go to quantity 0; 0 where a first pull brought nothing */
  records: number;
}

/** The item behind a lease; it stays when the lease ends, with what the next run and the operator must know. */
export interface ReplicationState {
  /** fencing token: raised by every holder; all its writes check it */
  fence: number;
  /** epoch milliseconds; 0 if the lease is free */
  held_until: number;
  /** watermark of the last finished run; null if the next one must read everything */
  since: string | null;
  /** where the present run continues; null if none runs */
  position: string | null;
  /** number of items with the positions that the present run has seen, handed over by its last worker */
  seen_parts: number | null;
  /** start of the present or last run of this connection, ISO 8601 UTC; null before the first */
  started_at: string | null;
  /** end of the last run that finished, ISO 8601 UTC */
  succeeded_at: string | null;
  /** start of that run, ISO 8601 UTC */
  succeeded_from?: string | null;
  /** end of the first run of this connection that read everything, ISO 8601 UTC */
  first_succeeded_at?: string | null;
  /** counts of the last finished run */
  succeeded_counts?: Counts | null;
  /** null when nothing waits */
  unconfirmed?: Unconfirmed | null;
  /** start of the first of the latest pulls that read everything and brought nothing, ISO 8601 UTC; null after any other */
  empty_since?: string | null;
  /** number of inventory records with a quantity after the last complete pull; null while unknown */
  in_stock?: number | null;
  /** the time up to which all POS records are stored, ISO 8601 UTC; see `ReplicationLease.finish` */
  data_as_of?: string | null;
  /** why the last run stopped; a code, never a message */
  error: string | null;
  /** failed runs in a row without a written page between them; rejections and other failures count separately */
  attempts: number;
  /** when the first of those failed, ISO 8601 UTC; null when none has */
  failing_since?: string | null;
  /** planned runs wait until then after a failure, ISO 8601 UTC; null if they need not */
  not_before: string | null;
  counts: Counts;
  /** number of records of the run, if the POS reports it */
  total: number | null;
  /** when the position was saved, ISO 8601 UTC; null before the first page of a run */
  saved_at?: string | null;
}
