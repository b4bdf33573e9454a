import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { Rejection } from "../../browser/failures.ts";
import { clientOf } from "./operations.ts";
import { type Session, SessionContext } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { endSessions, forgetPerson, hasSignedOutSince, type StoredSession, storage } from "./storage.ts";
import { explainFailure } from "./texts.ts";

/** Milliseconds after a sign-in in which an ended token means that access has ended: another sign-in would not help. */
const freshMs = 60_000;

interface ConsoleProps {
  api: string;
  support: string;
  stored: StoredSession;
  /** Signs in again, and returns to the present place. */
  renew(): void;
  /** Shows the sign-in with a problem; empty after a sign-out. */
  leave(problem: string): void;
}

/** The console of a person who is signed in. */
export function Console({ api, support, stored, renew, leave }: ConsoleProps) {
  const { token, person, institution, signedInAt, renewsAt } = stored;
  const [announcement, announce] = useState("");
  /** The number of unfinished changes. A sign-in would interrupt them. */
  const changes = useRef(0);
  const hasEnded = useRef(false);

  const end = useCallback(() => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    if (Date.now() - signedInAt > freshMs) return renew();
    leave("Your access has ended. Sign in again; if that fails, contact the person who manages your bank’s accounts.");
  }, [signedInAt, renew, leave]);

  const signOut = useCallback(
    (forget = endSessions) => {
      hasEnded.current = true;
      forget();
      leave("");
    },
    [leave],
  );

  useRenewal(renewsAt, changes, end);
  useSignOutOfOtherTabs(signedInAt, signOut);

  const session = useMemo((): Session => {
    const call = callsWith(token, api);
    const counted: typeof call = async (method, ...rest) => {
      const part = method === "GET" ? 0 : 1;
      changes.current += part;
      try {
        return await call(method, ...rest);
      } finally {
        changes.current -= part;
      }
    };
    return {
      ...{ person, institution, api, announce },
      client: clientOf(counted, institution.sp_id),
      explain(failure) {
        if (!(failure instanceof Rejection && failure.status === 401))
          return explainFailure(failure, person.role, support);
        // The token is of no use any more.
        storage.remove("session");
        end();
        return undefined;
      },
      signOut: () => signOut(),
    };
  }, [token, api, support, person, institution, end, signOut]);

  return (
    <SessionContext.Provider value={session}>
      <Shell />
      <p class="unseen" role="status">
        {announcement}
      </p>
    </SessionContext.Provider>
  );
}

/** Ends a session at a time, as soon as the page is visible and no change is unfinished. Timers stop while a machine sleeps. */
function useRenewal(at: number, changes: { current: number }, end: () => void): void {
  useEffect(() => {
    const look = () => {
      if (Date.now() >= at && document.visibilityState === "visible" && changes.current === 0) end();
    };
    const timer = setInterval(look, 5_000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [at, changes, end]);
}

/** Ends the session after a sign-out in another tab. */
function useSignOutOfOtherTabs(signedInAt: number, signOut: (forget: () => void) => void): void {
  useEffect(() => {
    const look = () => {
      if (hasSignedOutSince(signedInAt)) signOut(forgetPerson);
    };
    addEventListener("storage", look);
    // A page that comes back from the history has missed the event.
    addEventListener("pageshow", look);
    return () => {
      removeEventListener("storage", look);
      removeEventListener("pageshow", look);
    };
  }, [signedInAt, signOut]);
}
