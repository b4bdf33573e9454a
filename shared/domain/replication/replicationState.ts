/**
 * What a run did so far. `read` counts what the POS gave, repetitions too, `rejected` the records rejected, by the
 * connector or by the writer; `changed` also what vanished from the POS.
 */
export interface Counts {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** how many of those rejected have no id in the POS */
  nameless?: number;
  /** dropped rows of other stores, which an organization-wide API returned */
  foreign?: number;
  /** of sales: how many were compared with themselves, and of how many the amounts do not go together (saleSums.ts) */
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
  /** raised by every holder; what a holder writes is conditional on its own number */
  fence: number;
  /** epoch milliseconds; 0 when nobody holds the lease */
  held_until: number;
  /** watermark of the last finished run; null where the next one must read everything */
  since: string | null;
  /** where in the present run to go on, null when none is under way */
  position: string | null;
  /** how many items hold what the pull under way had seen up to its position, as its last holder handed it over */
  seen_parts: number | null;
  /** start of the present or last run of this connection, ISO 8601 UTC; null before the first */
  started_at: string | null;
  /** end of the last run that finished, ISO 8601 UTC */
  succeeded_at: string | null;
  /** start of that run, ISO 8601 UTC */
  succeeded_from?: string | null;
  /** end of the first run of this connection that has surely missed nothing of what there was, ISO 8601 UTC */
  first_succeeded_at?: string | null;
  /** what that run did which finished last, in all of its workers */
  succeeded_counts?: Counts | null;
  /** null when nothing waits */
  unconfirmed?: Unconfirmed | null;
  /** start of the first of the latest pulls that read everything and brought nothing, ISO 8601 UTC; null after any other */
  empty_since?: string | null;
  /** number of inventory records with a quantity after the last complete pull; null while unknown */
  in_stock?: number | null;
  /** an instant of which everything that the POS held is stored, ISO 8601 UTC; see `Lease.finish` */
  data_as_of?: string | null;
  /** why the last run stopped; a code, never a message */
  error: string | null;
  /** how many runs have failed one after the other, all refused or none, without a page of records between them */
  attempts: number;
  /** when the first of those failed, ISO 8601 UTC; null when none has */
  failing_since?: string | null;
  /** until when a planned run waits after a failure, ISO 8601 UTC; null when it need not */
  not_before: string | null;
  counts: Counts;
  /** how many records the run has, when the POS tells */
  total: number | null;
  /** when the position was saved, ISO 8601 UTC; null before the first page of a run */
  saved_at?: string | null;
}
