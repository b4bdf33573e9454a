import type { RecordKind } from "../table/keys.ts";
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
  /** the properties of the POS type's credential set (contract 9.22) */
  credentials: Readonly<Record<string, string | number>>;
}

/** A store that the credentials reach; one of them is what `pos_info.location_id` names (contract 7.2, check 8). */
export interface PosStore {
  id: string;
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
}

/** A record that the POS has but that no record of ours can be made from. Never holds the value. */
interface RejectedPosRecord {
  posId: string;
  field: string;
  reason: string;
}

export interface PullPage<Kind extends RecordKind> {
  records: PosRecords[Kind][];
  rejected: RejectedPosRecord[];
  /** how many records the whole pull has, when the POS tells */
  total: number | null;
  /**
   * The position of the next page; or, on the last page, the watermark from which the next pull starts. Both are the
   * connector's own text, kept as it is. Pages may overlap each other, and pulls the pull before: equal records are
   * written once.
   */
  next: { position: string } | { watermark: string };
  /** whether the pull as a whole names every record there is, so that what it leaves out has vanished */
  complete: boolean;
}

/** One point-of-sale system. Both functions throw PosError; whatever waits, retries and tokens it takes are inside. */
export interface Connector {
  /** Proves the credentials by a test call and tells which stores they reach (contract 7.2, checks 7 and 8). */
  verify(connection: Connection): Promise<PosStore[]>;
  /** One page of the records that are new or changed since the last pull. */
  pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>>;
}

const failures = {
  credentialsRefused: "The POS refuses the credentials",
  locationGone: "The POS knows no such location",
  unreachable: "The POS cannot be reached",
} as const;

export type PosFailure = keyof typeof failures;

/** Why a POS could not be read. Its message holds nothing that the POS said: that may repeat keys or personal data. */
export class PosError extends Error {
  readonly failure: PosFailure;
  /** seconds that the POS asks to be left alone, if it does */
  readonly retryAfter: number | undefined;

  constructor(failure: PosFailure, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(failures[failure], { cause: options.cause });
    this.name = "PosError";
    this.failure = failure;
    this.retryAfter = options.retryAfter;
  }
}
