import type { PosReplicationError, PosTypeName, StateSystem } from "../api/enumerations.ts";
import { type Crb as CrbRecord, crb as crbSchema } from "../api/schemas/crb.ts";
import type { Condition, Item } from "./client.ts";
import type { FieldChanges } from "./fieldChanges.ts";

/** The POS from which a CRB's records are read. The credentials are stored separately. */
export interface CrbConnection {
  posType: PosTypeName;
  /** Id of the CRB's store within the POS; null if the POS does not need one. */
  locationId: string | null;
  connectedAt: string;
  /** The actions of callers on the simulated POS; only on stages with simulated POS systems. */
  sandbox?: SandboxControls;
}

/** The actions of callers on the simulated POS of a CRB (docs/spec.md#sandbox-controls), stored with its connection. */
export interface SandboxControls {
  rejectsCredentials?: true;
  /** The failure of each request until an instant, ISO 8601 UTC. */
  failure?: { error: PosReplicationError; until: string };
  /** Sales in addition to the simulated ones, the oldest first. */
  sales?: readonly ControlledSale[];
}

/** A sale that a caller made. The simulation derives its lines and its buyer from its place in the list. */
export interface ControlledSale {
  type: "sale" | "return" | "adjustment";
  /** ISO 8601 UTC */
  date: string;
  /** Time of the last change, ISO 8601 UTC. */
  changed: string;
  /** The place in the list of the sale that a return refers to. */
  original?: number;
  /** The check whose rule the sale breaks. */
  violation?: string;
  /** The POS returns the sale in a form that cannot be converted. */
  isUnreadable?: true;
}

/** The controls after new credentials: failures end, and sales stay. */
export const withoutFailures = ({ sales }: SandboxControls): SandboxControls => (sales ? { sales } : {});

/** The consent of a CRB's users to the terms (docs/spec.md#consent). */
interface Consent {
  termsVersion: string;
  date: string;
  givenBy: string;
  /** The state systems that the terms name; absent if they name none. */
  stateSystems?: readonly StateSystem[];
}

export interface Crb {
  record: CrbRecord;
  serviceProviderId: string;
  /** null until a POS is connected */
  connection: CrbConnection | null;
  /** The current consent: one of the CRB's users gave it, and no user has withdrawn it. */
  consent?: Consent;
  /** The latest withdrawal of consent, until it is given again. Meanwhile the service reads and accepts no records. */
  withdrawal?: {
    /** ISO 8601 UTC */
    date: string;
    /** Id of the invitation of the user who withdrew; absent if it is unknown. */
    by?: string;
  };
  /** The CRB waits for the consent of its users: its creation invited them and contained no POS credentials. */
  needsConsent?: true;
  /** Set by the operator for a CRB whose records are uploaded as files. No POS may be connected to it. */
  usesFiles?: true;
  /** Recipient of notices about the CRB; absent or null if no recipient was named. */
  primaryContactEmail?: string | null;
  createdBy?: string;
  /** As in `endsWithOf`. */
  ends_with?: readonly string[];
  /** The fields of the record that a service provider has changed since creation. */
  changes?: FieldChanges;
  endedAt?: string;
  /** Start of the purge, ISO 8601 UTC; absent if no purge has begun. */
  purgeBeganAt?: string;
}

/** The condition that a CRB is stored and no purge of it has begun, which might miss data that is written later. */
export const notPurged: Condition = { expression: "attribute_exists(pk) AND attribute_not_exists(purgeBeganAt)" };

export function toCrb(item: Item): Crb {
  const { pk, sk, version, record, ...stored } = item as Item & Omit<Crb, "record">;
  // Maps in DynamoDB have no order. Parsing restores the field order of the specification.
  return { primaryContactEmail: null, ...stored, record: crbSchema.parse(record) };
}
