import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import type { Call } from "../../browser/api.ts";
import { endsLink, explainFailure } from "./explainFailure.ts";

interface Options {
  call: Call;
  support: string;
  /** Called when the invitation is no longer valid. */
  onRejected(): void;
}

/** The service's state of the onboarding, reloaded whenever the visitor returns to the page. */
export function useOnboarding({ call, support, onRejected }: Options) {
  const [onboarding, setOnboarding] = useState<Onboarding>();
  const [loadProblem, setLoadProblem] = useState<string>();
  // Responses can arrive out of order. The response to an older request never replaces the response to a newer one.
  const requested = useRef(0);
  const shown = useRef(0);

  const showAs = useCallback((found: Onboarding, number: number) => {
    if (number < shown.current) return;
    shown.current = number;
    setOnboarding(found);
  }, []);
  const show = useCallback(
    (found: Onboarding) => {
      requested.current += 1;
      showAs(found, requested.current);
    },
    [showAs],
  );

  const explain = useCallback(
    (failure: unknown) => {
      if (!endsLink(failure)) return explainFailure(failure, support);
      onRejected();
      return undefined;
    },
    [support, onRejected],
  );

  const refresh = useCallback(async () => {
    requested.current += 1;
    const number = requested.current;
    try {
      const found = await call<Onboarding>("GET", "onboarding");
      showAs(found, number);
      setLoadProblem(undefined);
      return found;
    } catch (failure) {
      setLoadProblem(explain(failure));
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

  return { onboarding, show, loadProblem, refresh, explain };
}
