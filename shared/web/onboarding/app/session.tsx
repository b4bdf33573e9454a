import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import type { Call } from "../../browser/api.ts";
import type { Uploads } from "./useUploads.ts";

/** The state and actions that all steps share. */
export interface Session {
  onboarding: Onboarding;
  /** The company that runs the service. */
  operator: string;
  /** The support address for the visitor. */
  support: string;
  call: Call;
  /** Shows the onboarding from an operation's response. */
  show(onboarding: Onboarding): void;
  /** Reloads the onboarding. On failure it returns undefined, and the page shows the problem. */
  refresh(): Promise<Onboarding | undefined>;
  /**
   * The message of a failure for the visitor. Undefined if the failure ends the session; the page then shows the form
   * for a new link.
   */
  explain(failure: unknown): string | undefined;
  /** Announces a text to screen readers. */
  announce(words: string): void;
  uploads: Uploads;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("no session");
  return session;
}
