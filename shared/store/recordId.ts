import { v5 } from "uuid";
import { posTypeNames } from "../api/enumerations.ts";
import type { RecordKind } from "../api/kinds.ts";

/** Must never change: another namespace would give every record a new id. */
const namespace = "9d4c3a52-6f0e-4f0b-8a7e-3b1f5f6c2d18";

/**
 * The id of a replicated record, a UUIDv5 of its id in the POS, so that repeated replication adds nothing, and the id in a
 * reference can be computed without a read.
 */
export const recordId = (crbId: string, kind: RecordKind, posType: string, posId: string): string =>
  v5(JSON.stringify([crbId.toLowerCase(), kind, posType, posId]), namespace);

/** The ids that the customer with a POS id can have, one for each POS type. */
export const customerIdsOf = (crbId: string, posId: string): string[] =>
  posTypeNames.map((posType) => recordId(crbId, "customer", posType, posId));
