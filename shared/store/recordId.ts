import { v5 } from "uuid";
import { posTypeNames } from "../api/enumerations.ts";
import type { RecordKind } from "../api/kinds.ts";

/** Fixed for ever: another namespace would give every record of every business a new id. */
const namespace = "9d4c3a52-6f0e-4f0b-8a7e-3b1f5f6c2d18";

/**
 * The id of a replicated record, a UUIDv5: the same thing in the POS always becomes the same record, so replicating it
 * again adds nothing, and whatever names it (a sale its customer) knows its id without reading it.
 */
export function recordId(crbId: string, kind: RecordKind, posType: string, posId: string): string {
  return v5(JSON.stringify([crbId.toLowerCase(), kind, posType, posId]), namespace);
}

/** Whether an id is that of a customer who has another in some POS, for whoever does not know in which. */
export function isCustomerOf(crbId: string, customerId: string, posId: string): boolean {
  return posTypeNames.some((posType) => recordId(crbId, "customer", posType, posId) === customerId);
}
