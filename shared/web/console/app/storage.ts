import { useState } from "preact/hooks";
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

const prefix = "draft:";

/** Deletes the drafts of another person. @param sub the person who signed in; undefined at a sign-out */
export function keepDraftsOf(sub: string | undefined): void {
  if (sub === undefined || storage.read("draftsOf") !== sub)
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  if (sub === undefined) storage.remove("draftsOf");
  else storage.write("draftsOf", sub);
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
