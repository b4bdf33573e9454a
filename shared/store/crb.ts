import { type Crb as CrbRecord, crb as crbSchema } from "../api/schemas/crb.ts";
import type { Condition, Item } from "./client.ts";
import type { FieldChanges } from "./fieldChanges.ts";

/** How a CRB's data is reached; its credentials are kept apart. */
export interface CrbConnection {
  /** One of `pos_type_names`. */
  posType: string;
  /** The store inside the POS; null where the POS needs none. */
  locationId: string | null;
  /** ISO 8601 UTC */
  connectedAt: string;
}

/** That the users of a CRB agree to what the terms say (docs/spec.md#consent). */
interface Consent {
  termsVersion: string;
  /** ISO 8601 UTC */
  date: string;
  /** Id of the invitation of the user who gave it. */
  givenBy: string;
}

/** A CRB: the record that callers see, and what the service keeps beside it. */
export interface Crb {
  record: CrbRecord;
  serviceProviderId: string;
  /** null until a POS is connected */
  connection: CrbConnection | null;
  /** Given by one of its users, and not withdrawn since. */
  consent?: Consent;
  /** The latest withdrawal, unless consent was given since: until then its records are not read, nor taken as files. */
  withdrawal?: {
    /** ISO 8601 UTC */
    date: string;
    /** Id of the invitation of the user who withdrew it; absent where that is not known any more. */
    by?: string;
  };
  /** That it waits for the consent of its users: they were invited, and no POS credentials came with the creation. */
  needsConsent?: true;
  /** The operator's word that its records come as files, so that no POS is to be connected. */
  usesFiles?: true;
  /** Where notices about the CRB go; nobody's before one is named. */
  primaryContactEmail?: string | null;
  /** Client id of the credential that created it; absent if the operator did. */
  createdBy?: string;
  /** The fields of the record that a service provider has changed since. */
  changes?: FieldChanges;
  /** When its association ended, ISO 8601 UTC; absent as long as it stands. */
  endedAt?: string;
  /** When its purge began, ISO 8601 UTC, unless none has. */
  purgeBeganAt?: string;
}

/** The condition that a CRB is stored, and no purge of it has begun: what is made after that might outlive it. */
export const notPurged: Condition = {
  expression: "attribute_exists(pk) AND attribute_not_exists(purgeBeganAt)",
};

/** A CRB as its item holds it. */
export function toCrb(item: Item): Crb {
  const { endedAt, purgeBeganAt, consent, withdrawal, needsConsent, usesFiles, createdBy, changes } = item as Item &
    Partial<Crb>;
  return {
    // Parsed, since a map of the table keeps no order, and answers keep the specification's.
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
