import { useCallback, useRef, useState } from "preact/hooks";

/**
 * Runs one action of the visitor at a time, and reports its failure.
 *
 * @param explain the message of a failure for the visitor
 * @returns `run` calls `work` unless another action is running; `problem` is the message about the failure
 */
export function useAction(explain: (failure: unknown) => string | undefined) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  const run = useCallback(
    async (work: () => Promise<void>, handle?: (failure: unknown) => Promise<string | undefined>) => {
      if (busy.current) return;
      busy.current = true;
      setBusy(true);
      setProblem(undefined);
      try {
        await work();
      } catch (failure) {
        setProblem((await handle?.(failure)) ?? explain(failure));
      } finally {
        busy.current = false;
        setBusy(false);
      }
    },
    [explain],
  );
  return { isBusy, problem, run };
}
