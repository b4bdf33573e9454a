import { endsWithOf, isMadeWith, type Maker } from "./madeWith.ts";

export interface FieldChange {
  /** Client id of the credential; null for changes by the operator or the service. */
  by: string | null;
  /** As in `endsWithOf`. */
  ends_with?: readonly string[];
  /** ISO 8601 UTC */
  date: string;
  /** The credential was revoked, and the revocation has disabled the endpoint because of this change. */
  isEnded?: true;
}

/** The last change of each field, by the field's name. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

export const withChanges = (
  changes: FieldChanges,
  fields: readonly string[],
  by: Maker | null,
  now: Date,
): FieldChanges => {
  const change = { by: by?.clientId ?? null, ...endsWithOf(by), date: now.toISOString() };
  return { ...changes, ...Object.fromEntries(fields.map((field) => [field, change])) };
};

/** The fields whose last change one of these credentials made, by name; without changes that a revocation has ended. */
export const fieldsSetBy = (changes: FieldChanges, clientIds: ReadonlySet<string>): [string, FieldChange][] =>
  Object.entries(changes)
    .filter(([, change]) => isMadeWith(clientIds, change.by, change) && !change.isEnded)
    // DynamoDB does not keep the order of a map.
    .sort(([one], [other]) => (one < other ? -1 : 1));
