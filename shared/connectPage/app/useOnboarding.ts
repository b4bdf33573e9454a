import { useCallback, useEffect, useState } from "preact/hooks";
import type { Onboarding } from "../../api/schemas/onboarding.ts";
import { type Call, Refusal } from "./api.ts";
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

  const explain = useCallback(
    (failure: unknown) => {
      if (!(failure instanceof Refusal && [401, 403].includes(failure.status))) return wordsOf(failure, support);
      refused();
      return undefined;
    },
    [support, refused],
  );

  const refresh = useCallback(async () => {
    try {
      const found = await call<Onboarding>("GET", "onboarding");
      setOnboarding(found);
      setTrouble(undefined);
      return found;
    } catch (failure) {
      setTrouble(explain(failure));
      return undefined;
    }
  }, [call, explain]);

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

  return { onboarding, setOnboarding, trouble, refresh, explain };
}
