import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "./client.ts";
import type { StoredSession } from "./storage.ts";

/** What all screens share. */
export interface Session extends Pick<StoredSession, "person" | "institution"> {
  /** The address of the API, with a slash at its end. */
  api: string;
  client: Client;
  /** The message of a failure for the person; undefined if the failure ends the session. */
  explain(failure: unknown): string | undefined;
  /** Announces a text to screen readers. */
  announce(words: string): void;
  signOut(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("no session");
  return session;
}
