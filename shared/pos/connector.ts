import type { RecordKind } from "../api/kinds.ts";
import type { PosRecords } from "./posRecords.ts";

/** What the service knows of one business's connection to its POS. `credentials` are plain: never log or store this. */
export interface Connection {
  crbId: string;
  /** one of `pos_type_names` */
  posType: string;
  businessType: "retail" | "wholesale";
  /** two-letter code, one of `states` */
  state: string;
  /** IANA name, one of `timezones` */
  timezone: string;
  /** the store inside the POS; null where the POS needs none */
  locationId: string | null;
  /** ISO 8601 UTC */
  connectedAt: string;
  /** the properties of the POS type's credential set (docs/spec.md#pos-credentials-schema) */
  credentials: Readonly<Record<string, string | number>>;
}

/** A store that the credentials reach; one of them is what `pos_info.location_id` names (docs/spec.md#location). */
export interface PosStore {
  id: string;
  /** another id of the same store in the POS, which does as well */
  otherId?: string;
  /** whether a connection reads it only where it names it, since there are others */
  isOneOfSeveral?: true;
  name: string;
  address: string | null;
}

export interface PullRequest<Kind extends RecordKind> {
  kind: Kind;
  /** the watermark that the last finished pull of this kind gave; null reads everything */
  since: string | null;
  /**
   * where inside this pull to go on, as the page before said; null at its beginning. A run may be taken up days later:
   * a connector that can no longer use the position starts the pull anew
   */
  position: string | null;
  /** start of this pull, the same for all its pages, also when another process goes on with it: its upper bound */
  now: Date;
  /**
   * Which of these ids, as the POS has them, are records of this kind in the table already. A POS that tells of records
   * which are none of this business's asks by it what to keep. Without it nothing counts as known.
   */
  known?(posIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a record of this kind is rejected: this business's own, of which none could be made. */
  isRejected?(posId: string): boolean;
  /**
   * Up to when everything is replicated that these records name and are completed by. What is later must come again
   * with the next pull.
   */
  caughtUpTo?: Date | undefined;
  /**
   * When whoever runs the pull must stop; a page that takes more than one request is ended before that, and what is left
   * comes with the next one
   */
  deadline?: Date | undefined;
}

/** A record that the POS has but that no record of ours can be made from. Never holds the value. */
export interface RejectedPosRecord {
  /** as the record itself would have it (`posIdOf`); empty when the POS gives none */
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
  /** how many records the whole pull has, when the POS tells */
  total: number | null;
  /**
   * The position of the next page; or, on the last page, the watermark from which the next pull starts. Both are the
   * connector's own text, kept as it is. Pages may overlap each other, and pulls the pull before: equal records are
   * written once.
   */
  next: { position: string } | LastPage;
  /** whether the pull as a whole names every record there is, so that what it leaves out has vanished */
  complete: boolean;
}

/** Where a pull has come to at its end. */
export interface LastPage {
  watermark: string;
  /**
   * the instant up to which nothing that the POS held is missing after this pull, ISO 8601 UTC: its beginning where it is
   * absent; null where the pull may have missed something, so that it tells nothing
   */
  asOf?: string | null;
  /**
   * whether the pull has met every record that the POS has of the kind, also where its source leaves out some of what
   * `complete` asks for; false where it is absent
   */
  readAll?: boolean;
}

/** What a pull brings of a kind that the POS does not have (see `lacks`): what is stored of another POS has vanished. */
export function noRecords<Kind extends RecordKind>(next: LastPage): PullPage<Kind> {
  return { records: [], rejected: [], total: 0, next, complete: true };
}

/** One point-of-sale system. Both functions throw PosError; whatever waits, retries and tokens it takes are inside. */
export interface Connector {
  /** Proves the credentials by a test call and tells which stores they reach (docs/spec.md#test-call). */
  verify(connection: Connection): Promise<PosStore[]>;
  /** One page of the records that are new or changed since the last pull. */
  pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>>;
}

const failures = {
  /** for good, until somebody changes them: 401, or 403 of the call that verifies */
  credentialsRefused: "The POS refuses the credentials",
  /** for good: the store of the connection is none of those that the credentials reach */
  locationGone: "The POS knows no such location",
  /** the credentials work, but not for this kind of records; other kinds may be read */
  notPermitted: "The POS does not let the credentials read these records",
  /** for now: asked too often. `retryAfter` says how long to leave the POS alone, when the POS told */
  limited: "The POS limits how often it is read",
  /** for now: an outage of the POS or of the way to it */
  unreachable: "The POS cannot be reached",
  /** for now, as far as one can tell: an answer that is no JSON, or of another shape than is known */
  notUnderstood: "The POS answers in a way that is not understood",
} as const;

/** What a PosError tells whoever runs the pull; see there for what is for good and what is for now. */
export type PosFailure = keyof typeof failures;

/** Whether a failure, by its code, is one after which a CRB needs attention (docs/spec.md#pos-status). */
export function isRejection(failure: string | null): boolean {
  return failure === "credentialsRefused" || failure === "locationGone";
}

/** Why a POS could not be read. Its message holds nothing that the POS said: that may repeat keys or personal data. */
export class PosError extends Error {
  readonly failure: PosFailure;
  /** seconds that the POS asks to be left alone, if it does */
  readonly retryAfter: number | undefined;
  /** what was seen, for the log: a status (`503`), a code of the network (`ECONNRESET`), or a word of ours (`timeout`) */
  readonly code: string | undefined;

  constructor(failure: PosFailure, options: { retryAfter?: number | undefined; code?: string } = {}) {
    super(failures[failure]);
    this.name = "PosError";
    this.failure = failure;
    this.retryAfter = options.retryAfter;
    this.code = options.code;
  }
}
