import { type Crb as CrbRecord, crb as crbSchema } from "../api/schemas/crb.ts";
import type { Item } from "./client.ts";

/** How a CRB's data is reached; its credentials are kept apart. */
export interface CrbConnection {
  /** One of `pos_type_names`. */
  posType: string;
  /** The store inside the POS; null where the POS needs none. */
  locationId: string | null;
  /** ISO 8601 UTC */
  connectedAt: string;
}

/** A CRB: the record that callers see, and what the service keeps beside it. */
export interface Crb {
  record: CrbRecord;
  serviceProviderId: string;
  /** null until a POS is connected */
  connection: CrbConnection | null;
  /** Where notices about the CRB go; nobody's before one is named. */
  primaryContactEmail?: string | null;
  /** When its association ended, ISO 8601 UTC; absent as long as it stands. */
  endedAt?: string;
  /** When its purge began, ISO 8601 UTC, unless none has. */
  purgeBeganAt?: string;
}

/** A CRB as its item holds it. */
export function toCrb(item: Item): Crb {
  return {
    // Parsed, since a map of the table keeps no order, and answers keep the contract's.
    record: crbSchema.parse(item.record),
    serviceProviderId: item.serviceProviderId as string,
    connection: item.connection as CrbConnection | null,
    primaryContactEmail: (item.primaryContactEmail as string | undefined) ?? null,
    ...(item.endedAt !== undefined && { endedAt: item.endedAt as string }),
    ...(item.purgeBeganAt !== undefined && { purgeBeganAt: item.purgeBeganAt as string }),
  };
}
