/** Who set a field last, and when. */
export interface FieldChange {
  /** Client id of the credential; null where the operator or the service did. */
  by: string | null;
  /** ISO 8601 UTC */
  date: string;
  /** The revocation of that credential has ended what it set (`endMade`). */
  isEnded?: true;
}

/** The last change of each field, by name. A field without one was last set by a version that recorded none. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** The changes with those of some fields added. */
export const withChanges = (
  changes: FieldChanges,
  fields: readonly string[],
  by: string | null,
  now: Date,
): FieldChanges => ({
  ...changes,
  ...Object.fromEntries(fields.map((field) => [field, { by, date: now.toISOString() }])),
});

/** The fields that some credentials set last, by name, unless a revocation has ended that. */
export const fieldsSetBy = (changes: FieldChanges, clientIds: ReadonlySet<string>): [string, FieldChange][] =>
  Object.entries(changes)
    .filter(([, { by, isEnded }]) => by !== null && clientIds.has(by) && !isEnded)
    // A map of the table keeps no order.
    .sort(([one], [other]) => (one < other ? -1 : 1));
