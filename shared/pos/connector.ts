import type { PosTypeName } from "../api/enumerations.ts";
import type { RecordKind } from "../api/kinds.ts";
import type { SandboxControls } from "../store/crb.ts";
import type { PosRecords } from "./posRecords.ts";

/** One business's connection to its POS. `credentials` are plain text: never log or store a connection. */
export interface Connection {
  crbId: string;
  posType: PosTypeName;
  businessType: "retail" | "wholesale";
  /** two-letter code, one of `states` */
  state: string;
  /** IANA name, one of `timezones` */
  timezone: string;
  /** the store inside the POS; null if the POS needs none */
  locationId: string | null;
  /** ISO 8601 UTC */
  connectedAt: string;
  /** the actions of callers on a simulated POS; absent for real POS systems */
  sandbox?: SandboxControls;
  /** the properties of the POS type's credential set (docs/spec.md#pos-credentials-schema) */
  credentials: Readonly<Record<string, string | number>>;
}

/** A store that the credentials reach; `pos_info.location_id` names one of them (docs/spec.md#location). */
export interface PosStore {
  id: string;
  /** a second id of the same store in the POS; a connection may use either id */
  otherId?: string;
  /** whether a connection must name its store, because the credentials reach several stores */
  isOneOfSeveral?: true;
  name: string;
  address: string | null;
}

export interface PullRequest<Kind extends RecordKind> {
  kind: Kind;
  /** the watermark of the last finished pull of this kind; null to read everything */
  since: string | null;
  /** the position of the page, perhaps of days ago; null for the first. An unusable one starts the pull again */
  position: string | null;
  /** start of the pull, and end of its time range; all pages of a pull have the same value */
  now: Date;
  /**
   * Returns the given POS ids for which a record of this kind is stored. A connector uses this function if the POS also
   * lists records of other businesses, or rows that undo a record. If the function is absent, no record counts as
   * stored.
   */
  known?(posIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether the business has a rejected record with this POS id. */
  isRejected?(posId: string): boolean;
  /**
   * Set if records of other kinds complete the records of this pull: the instant up to which the other kinds are
   * replicated. A later pull must read all records after this instant again.
   */
  caughtUpTo?: Date | undefined;
  /** the time at which the pull must stop: a page that takes several requests ends before it */
  deadline?: Date | undefined;
}

/** A record of the POS that the connector cannot convert. This object never holds the invalid value. */
export interface RejectedPosRecord {
  /** the record's POS id (`posIdOf`); empty if the POS returns no id */
  posId: string;
  /** path inside the POS's record, such as `items.0.quantity` */
  field: string;
  /** a code, such as `invalid_type` */
  reason: string;
}

/** Why a record is rejected. */
export type Rejection = Pick<RejectedPosRecord, "field" | "reason">;

export interface PullPage<Kind extends RecordKind> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** number of dropped rows of other stores (see StoreRows); absent if the API lists only one store */
  foreign?: number;
  /** number of records on all pages of the pull; null if the POS does not report it */
  total: number | null;
  /**
   * The position of the next page; on the last page, the watermark for the next pull. Only the connector can interpret
   * positions and watermarks. Pages and pulls may overlap, because the service writes equal records only once.
   */
  next: { position: string } | LastPage;
  /** whether the pages hold every record of the POS, so that other stored records were removed there */
  complete: boolean;
}

/** The result of a finished pull. */
export interface LastPage {
  watermark: string;
  /** the instant up to which the pull missed no record, ISO 8601 UTC; its start if absent; null if unknown */
  asOf?: string | null;
  /** whether the pull read every record of the kind, with less proof than `complete`; false if absent */
  readAll?: boolean;
}

/** The empty, complete page for a kind that the POS lacks. Stored records of an earlier POS are then removed. */
export function noRecords<Kind extends RecordKind>(next: LastPage): PullPage<Kind> {
  return { records: [], rejected: [], total: 0, next, complete: true };
}

/** One POS. Its functions throw PosError, limit the request rate, retry failed requests and renew tokens. */
export interface Connector {
  /** Proves the credentials by a test call and returns the stores that they reach (docs/spec.md#test-call). */
  verify(connection: Connection): Promise<PosStore[]>;
  /** Reads one page of the records that are new or changed since the last pull. */
  pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>>;
}

const failures = {
  /** permanent until the credentials change: status 401, or status 403 of the call that verifies the credentials */
  credentialsRefused: "The POS rejects the credentials",
  /** permanent: the credentials do not reach the connection's store */
  locationGone: "The POS has no such location, or the credentials do not reach it",
  /** the credentials are valid but not for this kind of records; other kinds may work */
  notPermitted: "The credentials have no permission to read these records",
  /** temporary: too many requests; `retryAfter` is the wait in seconds, if the POS reports one */
  limited: "The POS received too many requests",
  /** temporary: an outage of the POS or the network */
  unreachable: "The POS cannot be reached",
  /** presumably temporary: a response that is not JSON or has an unknown shape */
  notUnderstood: "The response of the POS has an unknown form",
} as const;

/** Why a POS could not be read; `failures` says which failures are permanent. */
export type PosFailure = keyof typeof failures;

/** Whether a CRB needs attention after a failure with this code (docs/spec.md#pos-status). */
export function isRejection(failure: string | null): boolean {
  return failure === "credentialsRefused" || failure === "locationGone";
}

/** Why a POS could not be read. No text of the POS is in the message, because it may contain keys or personal data. */
export class PosError extends Error {
  readonly failure: PosFailure;
  /** seconds that the POS asks clients to wait; undefined if the POS states no time */
  readonly retryAfter: number | undefined;
  /** the cause for the log: a status (`503`), a network code (`ECONNRESET`), or an own code (`timeout`) */
  readonly code: string | undefined;
  /** the longest pause before the next run, in milliseconds; undefined for real POS systems */
  readonly maxPauseMs: number | undefined;

  constructor(
    failure: PosFailure,
    options: { retryAfter?: number | undefined; code?: string; maxPauseMs?: number } = {},
  ) {
    super(failures[failure]);
    this.name = "PosError";
    this.failure = failure;
    this.retryAfter = options.retryAfter;
    this.code = options.code;
    this.maxPauseMs = options.maxPauseMs;
  }
}
