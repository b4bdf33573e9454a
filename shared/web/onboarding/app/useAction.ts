import { useRef, useState } from "preact/hooks";
import { useSession } from "./session.tsx";

/**
 * Does one thing at a time with the service, and tells what came of it.
 *
 * @returns `run` does the work, unless another is under way; `problem` says in words what went wrong
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
