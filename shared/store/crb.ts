import type { PosTypeName } from "../api/enumerations.ts";
import { type Crb as CrbRecord, crb as crbSchema } from "../api/schemas/crb.ts";
import type { Condition, Item } from "./client.ts";
import type { FieldChanges } from "./fieldChanges.ts";

/** How a CRB's data is reached. The credentials are stored separately. */
export interface CrbConnection {
  posType: PosTypeName;
  /** The store inside the POS; null if the POS needs none. */
  locationId: string | null;
  /** ISO 8601 UTC */
  connectedAt: string;
}

/** The consent of a CRB's users to the terms (docs/spec.md#consent). */
interface Consent {
  termsVersion: string;
  /** ISO 8601 UTC */
  date: string;
  /** Id of the invitation of the user who gave the consent. */
  givenBy: string;
}

/** A CRB: the record that callers see, and the service's own data about it. */
export interface Crb {
  record: CrbRecord;
  serviceProviderId: string;
  /** null until a POS is connected */
  connection: CrbConnection | null;
  /** Given by one of its users and not withdrawn. */
  consent?: Consent;
  /**
   * The latest withdrawal, unless consent was given since. Until then the CRB's records are not read, and files are
   * rejected.
   */
  withdrawal?: {
    /** ISO 8601 UTC */
    date: string;
    /** Id of the invitation of the user who withdrew; absent if it is unknown. */
    by?: string;
  };
  /** The CRB waits for the consent of its users. They were invited, and the creation had no POS credentials. */
  needsConsent?: true;
  /** Set by the operator: the records come as files, so no POS is to be connected. */
  usesFiles?: true;
  /** Recipient of notices about the CRB; absent or null if none was named. */
  primaryContactEmail?: string | null;
  /** Client id of the credential that created the CRB; absent if the operator did. */
  createdBy?: string;
  /** The fields of the record that a service provider has changed since creation. */
  changes?: FieldChanges;
  /** End of the association, ISO 8601 UTC; absent while it is active. */
  endedAt?: string;
  /** Start of the purge, ISO 8601 UTC; absent if none has begun. */
  purgeBeganAt?: string;
}

/** The condition that a CRB is stored and no purge of it has begun. Data written after that might survive the purge. */
export const notPurged: Condition = {
  expression: "attribute_exists(pk) AND attribute_not_exists(purgeBeganAt)",
};

/** Converts a stored item to a CRB. */
export function toCrb(item: Item): Crb {
  const { endedAt, purgeBeganAt, consent, withdrawal, needsConsent, usesFiles, createdBy, changes } = item as Item &
    Partial<Crb>;
  return {
    // Maps in DynamoDB have no order. Parsing restores the field order of the specification.
    record: crbSchema.parse(item.record),
    serviceProviderId: item.serviceProviderId as string,
    connection: item.connection as CrbConnection | null,
    primaryContactEmail: (item.primaryContactEmail as string | undefined) ?? null,
    ...(endedAt !== undefined && { endedAt }),
    ...(purgeBeganAt !== undefined && { purgeBeganAt }),
    ...(consent && { consent }),
    ...(withdrawal && { withdrawal }),
    ...(needsConsent && { needsConsent }),
    ...(usesFiles && { usesFiles }),
    ...(createdBy !== undefined && { createdBy }),
    ...(changes && { changes }),
  };
}
