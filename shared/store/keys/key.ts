import { createHash } from "node:crypto";

/**
 * The key of an item. Only this folder builds keys of the table; docs/storage.md lists all keys and the reasons for
 * their form. Times in keys are ISO 8601 UTC, days yyyy-MM-dd, so that range keys sort by time.
 */
export interface Key {
  pk: string;
  sk: string;
}

/** The key in a partition whose range key has these parts. */
export const key = (pk: string, ...parts: readonly string[]): Key => ({ pk, sk: parts.join("#") });

/** The partition of a service provider's items of one kind. */
export const ofProvider = (spId: string, name: string): string => `SERVICE_PROVIDER#${spId}#${name}`;

/** The partition of a CRB's items of one kind. */
export const ofCrb = (crbId: string, name: string): string => `CRB#${crbId}#${name}`;

/** Digest of a text that callers choose, so that keys have a fixed length and characters. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Names the parts of a range key, in their order. */
export const nameParts = <Name extends string>(sk: string, ...names: readonly Name[]): Record<Name, string> => {
  const parts = sk.split("#");
  return Object.fromEntries(names.map((name, i) => [name, parts[i] ?? ""])) as Record<Name, string>;
};

/** The part of a range key that follows its time or day. */
export const afterTime = (sk: string): string => sk.slice(sk.indexOf("#") + 1);

/** The rank of an item in a list that is read newest first. */
export const datedRank = (date: string, id: string): string => `${date}#${id}`;

/** An upper bound for range keys and ranks that begin with a day or a time up to this one: `$` follows `#` in ASCII. */
export const lastKeyOf = (start: string): string => `${start}$`;

/** The number of items of a partition that were created on a UTC day. */
export const dayCountKey = (pk: string, day: string): Key => key(pk, "DAY", day);
