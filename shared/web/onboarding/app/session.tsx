import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import type { Call } from "./api.ts";
import type { Uploads } from "./useUploads.ts";

/** What every step works with. */
export interface Session {
  onboarding: Onboarding;
  /** Whom the visitor may write to. */
  support: string;
  call: Call;
  /** Shows an onboarding as an operation has answered it. */
  show(onboarding: Onboarding): void;
  /** Reads the onboarding again; undefined where that does not work, of which the page then tells. */
  refresh(): Promise<Onboarding | undefined>;
  /** What a failure is called for the visitor; one that ends the session is told by the page itself, as undefined. */
  explain(failure: unknown): string | undefined;
  /** Says something to those who hear the page. */
  announce(words: string): void;
  uploads: Uploads;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("no session");
  return session;
}
