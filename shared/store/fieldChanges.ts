/** The last change of a field. */
export interface FieldChange {
  /** Client id of the credential; null for changes by the operator or the service. */
  by: string | null;
  /** ISO 8601 UTC */
  date: string;
  /** The revocation of that credential has ended its change (`revokeEndpointAccess.ts`). */
  isEnded?: true;
}

/** The last change of each field, by name. Absent if the field was last set by a release that recorded no changes. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** Records the changes of some fields. */
export const withChanges = (
  changes: FieldChanges,
  fields: readonly string[],
  by: string | null,
  now: Date,
): FieldChanges => ({
  ...changes,
  ...Object.fromEntries(fields.map((field) => [field, { by, date: now.toISOString() }])),
});

/**
 * The fields whose last change is by one of these credentials, by name. Changes that a revocation has ended are left
 * out.
 */
export const fieldsSetBy = (changes: FieldChanges, clientIds: ReadonlySet<string>): [string, FieldChange][] =>
  Object.entries(changes)
    .filter(([, { by, isEnded }]) => by !== null && clientIds.has(by) && !isEnded)
    // A map in DynamoDB has no order.
    .sort(([one], [other]) => (one < other ? -1 : 1));
