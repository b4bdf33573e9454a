import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import type { Call } from "./api.ts";
import { Rejection } from "./failures.ts";
import { wordsOf } from "./words.ts";

interface Options {
  call: Call;
  support: string;
  /** Told when the invitation is good no longer. */
  refused(): void;
}

/** The onboarding as the service has it, read again whenever the visitor comes back to the page. */
export function useOnboarding({ call, support, refused }: Options) {
  const [onboarding, setOnboarding] = useState<Onboarding>();
  const [trouble, setTrouble] = useState<string>();
  // Answers may overtake each other: none is shown in place of one that was asked for later.
  const asked = useRef(0);
  const shown = useRef(0);

  const showAs = useCallback((found: Onboarding, number: number) => {
    if (number < shown.current) return;
    shown.current = number;
    setOnboarding(found);
  }, []);
  const show = useCallback(
    (found: Onboarding) => {
      asked.current += 1;
      showAs(found, asked.current);
    },
    [showAs],
  );

  const explain = useCallback(
    (failure: unknown) => {
      if (!(failure instanceof Rejection && [401, 403].includes(failure.status))) return wordsOf(failure, support);
      refused();
      return undefined;
    },
    [support, refused],
  );

  const refresh = useCallback(async () => {
    asked.current += 1;
    const number = asked.current;
    try {
      const found = await call<Onboarding>("GET", "onboarding");
      showAs(found, number);
      setTrouble(undefined);
      return found;
    } catch (failure) {
      setTrouble(explain(failure));
      return undefined;
    }
  }, [call, explain, showAs]);

  useEffect(() => {
    void refresh();
    const look = () => {
      if (document.visibilityState === "visible") void refresh();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
    };
  }, [refresh]);

  return { onboarding, show, trouble, refresh, explain };
}
