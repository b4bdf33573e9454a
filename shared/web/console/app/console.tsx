import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { Rejection } from "../../browser/failures.ts";
import { clientOf } from "./operations.ts";
import { type Session, SessionContext } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { keepDraftsOf, type StoredSession, storage } from "./storage.ts";
import { explainFailure } from "./texts.ts";

/** Milliseconds before the end of a token at which the person signs in again. */
const renewalMs = 5 * 60_000;
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
  const { token, person, institution, signedInAt, expiresAt } = stored;
  const [announcement, announce] = useState("");
  /** The number of unfinished changes. A sign-in would interrupt them. */
  const changes = useRef(0);
  const hasEnded = useRef(false);

  const end = useCallback(() => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    storage.remove("session");
    if (Date.now() - signedInAt > freshMs) return renew();
    leave("Your access has ended. Sign in again; if that fails, contact the person who manages your bank’s accounts.");
  }, [signedInAt, renew, leave]);

  const signOut = useCallback(() => {
    hasEnded.current = true;
    storage.remove("session", "begun");
    keepDraftsOf(undefined);
    storage.write("mustAuthenticate", true);
    leave("");
  }, [leave]);

  useRenewal(expiresAt - renewalMs, changes, end);
  useSignOutOfOtherTabs(signOut);

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
        end();
        return undefined;
      },
      signOut() {
        new BroadcastChannel("console").postMessage("signed out");
        signOut();
      },
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

/** A sign-out ends the sessions of all tabs. */
function useSignOutOfOtherTabs(signOut: () => void): void {
  useEffect(() => {
    const channel = new BroadcastChannel("console");
    channel.onmessage = signOut;
    return () => channel.close();
  }, [signOut]);
}
