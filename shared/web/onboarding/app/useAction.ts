import { useRef, useState } from "preact/hooks";
import { useSession } from "./session.tsx";

/**
 * Runs one action of the visitor at a time, and reports its failure.
 *
 * @returns `run` starts the work unless another one is running; `problem` is the failure in words
 */
export function useAction() {
  const { explain } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  async function run(work: () => Promise<void>, handle?: (failure: unknown) => Promise<string | undefined>) {
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
  }
  return { isBusy, problem, run };
}
