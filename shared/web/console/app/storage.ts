import { useState } from "preact/hooks";
import type { PersonRole } from "../../../api/enumerations.ts";

/** A person's sign-in, kept for this tab. Times are in epoch milliseconds. */
export interface StoredSession {
  /** The short name of the institution. */
  shortName: string;
  token: string;
  signedInAt: number;
  /** When the person signs in again. */
  renewsAt: number;
  expiresAt: number;
  person: { sub: string; name: string | null; role: PersonRole };
  institution: { name: string; sp_id: string };
}

/** The secrets of a sign-in that has begun, and the place in the console to return to. */
interface BegunSignIn {
  /** Epoch milliseconds. */
  begunAt: number;
  verifier: string;
  state: string;
  nonce: string;
  place: string;
}

interface Stored {
  session: StoredSession;
  begun: BegunSignIn;
  /** The person who wrote the drafts, and when this person signed in, in epoch milliseconds. */
  draftsOf: { sub: string; sp_id: string; signedInAt: number };
}

/** What the console keeps in this tab's session storage, apart from drafts. Closing the tab deletes it. */
export const storage = {
  read<Name extends keyof Stored>(name: Name): Stored[Name] | undefined {
    const text = sessionStorage.getItem(`console:${name}`);
    return text === null ? undefined : JSON.parse(text);
  },
  write<Name extends keyof Stored>(name: Name, value: Stored[Name]): void {
    sessionStorage.setItem(`console:${name}`, JSON.stringify(value));
  },
  remove(...names: (keyof Stored)[]): void {
    for (const name of names) sessionStorage.removeItem(`console:${name}`);
  },
};

// All tabs of the browser share two times: a closed or restored tab, and a copy of one, must know of a sign-out, too.

type SharedTime = "signedOut" | `signedIn:${string}`;

/** A time in epoch milliseconds; 0 if it never was. */
const readTime = (name: SharedTime): number => Number(localStorage.getItem(`console:${name}`));
const keepTime = (name: SharedTime): void => localStorage.setItem(`console:${name}`, String(Date.now()));

/**
 * Whether a person has signed out in any tab of this browser since a time in epoch milliseconds. If the clock of this computer was set
 * back meanwhile, the sign-out counts as one of now, and a time that is ahead is before each sign-out.
 */
export function hasSignedOutSince(time: number): boolean {
  if (readTime("signedOut") > Date.now()) keepTime("signedOut");
  return readTime("signedOut") > (time > Date.now() ? 0 : time);
}

/** Whether the identity provider of an institution must authenticate the person again: no sign-in there followed a sign-out. */
export const mustAuthenticate = (shortName: string): boolean => hasSignedOutSince(readTime(`signedIn:${shortName}`));

/** Keeps the session of a new sign-in in this tab. */
export function keepSession(session: StoredSession): void {
  keepDraftsOf({ sub: session.person.sub, sp_id: session.institution.sp_id });
  storage.write("session", session);
  keepTime(`signedIn:${session.shortName}`);
}

/** The session of this tab at an institution, unless it has expired. One from before a sign-out is deleted. */
export function readSession(shortName: string): StoredSession | undefined {
  const session = storage.read("session");
  if (session && hasSignedOutSince(session.signedInAt)) forgetPerson();
  else if (session?.shortName === shortName && session.expiresAt > Date.now()) return session;
  return undefined;
}

/** Ends the sessions of all tabs of this browser. */
export function endSessions(): void {
  keepTime("signedOut");
  forgetPerson();
}

/** Deletes the session and the drafts of this tab. */
export function forgetPerson(): void {
  storage.remove("session", "begun");
  keepDraftsOf(undefined);
}

const prefix = "draft:";

/** Deletes the drafts of another person or institution, and those from before a sign-out. @param person undefined at a sign-out */
function keepDraftsOf(person: { sub: string; sp_id: string } | undefined): void {
  const before = storage.read("draftsOf");
  const isSame = person && before?.sub === person.sub && before.sp_id === person.sp_id;
  if (!isSame || hasSignedOutSince(before.signedInAt))
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  if (!person) storage.remove("draftsOf");
  else storage.write("draftsOf", { ...person, signedInAt: Date.now() });
}

/** What a person typed: it survives another sign-in of the same person in this tab, but no sign-out. */
export const drafts = {
  /** @param name names the form and its subject, such as `insight:ID` */
  read<Value>(name: string, initial: Value): Value {
    const stored = sessionStorage.getItem(prefix + name);
    return stored === null ? initial : JSON.parse(stored);
  },
  write: (name: string, value: unknown): void => sessionStorage.setItem(prefix + name, JSON.stringify(value)),
  remove: (name: string): void => sessionStorage.removeItem(prefix + name),
};

/** A state that is a draft. */
export function useDraft<Value>(name: string, initial: Value) {
  const [value, setValue] = useState(() => drafts.read(name, initial));
  const set = (next: Value) => {
    drafts.write(name, next);
    setValue(next);
  };
  return [value, set] as const;
}
