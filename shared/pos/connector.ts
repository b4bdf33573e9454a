import type { PosTypeName } from "../api/enumerations.ts";
import type { RecordKind } from "../api/kinds.ts";
import type { PosRecords } from "./posRecords.ts";

/** One business's connection to its POS. `credentials` are plain text: never log or store this. */
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
  /** the properties of the POS type's credential set (docs/spec.md#pos-credentials-schema) */
  credentials: Readonly<Record<string, string | number>>;
}

/** A store that the credentials reach; `pos_info.location_id` names one of them (docs/spec.md#location). */
export interface PosStore {
  id: string;
  /** another id of the same store in the POS, which is valid, too */
  otherId?: string;
  /** whether a connection must name this store, because there are others */
  isOneOfSeveral?: true;
  name: string;
  address: string | null;
}

export interface PullRequest<Kind extends RecordKind> {
  kind: Kind;
  /** the watermark of the last finished pull of this kind; null to read everything */
  since: string | null;
  /**
   * the position of the next page in this pull; null at the beginning. A run may continue days later: a connector that can no
   * longer use the position starts the pull again
   */
  position: string | null;
  /** start of the pull and its upper bound, the same for all pages, even in another process */
  now: Date;
  /**
   * Returns which of these POS ids are stored records of this kind. A connector of a POS that also lists records of other
   * businesses uses it to choose records. Without it no record counts as stored.
   */
  known?(posIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a record of this business was rejected. */
  isRejected?(posId: string): boolean;
  /**
   * The instant up to which the kinds that complete these records are replicated. Later records must come again with the next
   * pull.
   */
  caughtUpTo?: Date | undefined;
  /** When the pull must stop. A page that takes several requests ends before that; the next page contains the rest */
  deadline?: Date | undefined;
}

/** A record of the POS that the connector cannot convert. It never holds the value. */
export interface RejectedPosRecord {
  /** the id that the record would have (`posIdOf`); empty if the POS states none */
  posId: string;
  /** path inside the POS's record, such as `items.0.quantity` */
  field: string;
  /** a code, such as `invalid_type` */
  reason: string;
}

export interface PullPage<Kind extends RecordKind> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** number of dropped rows of other stores (see StoreRows); absent if the API lists one store only */
  foreign?: number;
  /** number of records in the whole pull, if the POS states it */
  total: number | null;
  /**
   * The position of the next page, or on the last page the watermark for the next pull. Only the connector reads these texts.
   * Pages and pulls may overlap: equal records are written once.
   */
  next: { position: string } | LastPage;
  /** whether the whole pull names every existing record, so that absent ones have vanished */
  complete: boolean;
}

/** The result of a finished pull. */
export interface LastPage {
  watermark: string;
  /**
   * the instant up to which the pull missed nothing, ISO 8601 UTC. If absent, the pull's start; null if the pull may have
   * missed something
   */
  asOf?: string | null;
  /**
   * whether the pull met every record of the kind, even if its source lacks something that `complete` needs; false if absent
   */
  readAll?: boolean;
}

/** The pull of a kind that the POS does not have (see `lacks`): stored records of an earlier POS have vanished. */
export function noRecords<Kind extends RecordKind>(next: LastPage): PullPage<Kind> {
  return { records: [], rejected: [], total: 0, next, complete: true };
}

/** One point-of-sale system. Both functions throw PosError and handle pacing, retries and tokens. */
export interface Connector {
  /** Proves the credentials by a test call and returns the stores that they reach (docs/spec.md#test-call). */
  verify(connection: Connection): Promise<PosStore[]>;
  /** Reads one page of the records that are new or changed since the last pull. */
  pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>>;
}

const failures = {
  /** permanent until the credentials change: 401, or 403 of the verifying call */
  credentialsRefused: "The POS rejects the credentials",
  /** permanent: the credentials do not reach the connection's store */
  locationGone: "The POS has no such location, or the credentials do not reach it",
  /** the credentials are valid but not for this kind of records; other kinds may work */
  notPermitted: "The credentials have no permission to read these records",
  /** temporary: too many requests; `retryAfter` says how long to wait, if the POS states it */
  limited: "The POS received too many requests",
  /** temporary: an outage of the POS or the network */
  unreachable: "The POS cannot be reached",
  /** presumably temporary: a response that is not JSON or has an unknown shape */
  notUnderstood: "The response of the POS has an unknown form",
} as const;

/** Why a POS could not be read; `failures` says which are permanent. */
export type PosFailure = keyof typeof failures;

/** Whether a CRB needs attention after a failure with this code (docs/spec.md#pos-status). */
export function isRejection(failure: string | null): boolean {
  return failure === "credentialsRefused" || failure === "locationGone";
}

/** Why a POS could not be read. The message holds no text of the POS, which may repeat keys or personal data. */
export class PosError extends Error {
  readonly failure: PosFailure;
  /** seconds that the POS asks clients to wait, if it does */
  readonly retryAfter: number | undefined;
  /** the cause for the log: a status (`503`), a network code (`ECONNRESET`), or a word of this code (`timeout`) */
  readonly code: string | undefined;

  constructor(failure: PosFailure, options: { retryAfter?: number | undefined; code?: string } = {}) {
    super(failures[failure]);
    this.name = "PosError";
    this.failure = failure;
    this.retryAfter = options.retryAfter;
    this.code = options.code;
  }
}
