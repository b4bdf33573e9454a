import { onTestFinished, vi } from "vitest";
import { log } from "../shared/platform/aws/log.ts";

/** The lines that the current test logs as errors from now on and that count in a metric (`loggedCount`). */
export function watchCounted(metric: string): () => unknown[][] {
  const logged = vi.spyOn(log, "error").mockReturnValue();
  onTestFinished(() => logged.mockRestore());
  return () => logged.mock.calls.filter(([, facts]) => Object.hasOwn(facts as object, metric));
}
