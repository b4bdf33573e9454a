import type { PersonName } from "../api/schemas/person.ts";

/** The caller that makes a record. The record ends with its credential, and with those that end the key of its token. */
export interface Maker {
  clientId: string;
  /** As in `Principal`. */
  key?: string;
  keyEndsWith?: readonly string[];
  /** Absent for programs. */
  person?: PersonName;
}

/**
 * The attribute of a record that a caller makes: client ids of the other credentials whose revocation or expiry ends
 * the record. They end the key with which the caller got its token. Absent if there are none.
 */
export const endsWithOf = (by: Maker | null | undefined): { ends_with?: readonly string[] } =>
  by?.keyEndsWith?.length ? { ends_with: by.keyEndsWith } : {};

/** Whether a record ends with one of these credentials: the credential made it, or ends the key with which another one made it. */
export const isMadeWith = (
  clientIds: ReadonlySet<string>,
  by: string | null | undefined,
  { ends_with = [] }: { ends_with?: readonly string[] },
): boolean => (by != null && clientIds.has(by)) || ends_with.some((clientId) => clientIds.has(clientId));
