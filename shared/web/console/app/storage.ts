import type { PersonRole } from "../../../api/enumerations.ts";

/** A person's sign-in, kept for this tab. */
export interface StoredSession {
  /** The short name of the institution. */
  shortName: string;
  token: string;
  /** Epoch milliseconds. */
  signedInAt: number;
  expiresAt: number;
  person: { sub: string; name: string | null; role: PersonRole };
  institution: { name: string; sp_id: string };
}

/** The secrets of a sign-in that has begun, and the place in the console to return to. */
interface BegunSignIn {
  verifier: string;
  state: string;
  nonce: string;
  place: string;
}

interface Stored {
  session: StoredSession;
  begun: BegunSignIn;
  /** Set by a sign-out: the identity provider must then authenticate the person again. */
  mustAuthenticate: true;
  /** The person who wrote the drafts. */
  draftsOf: string;
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
