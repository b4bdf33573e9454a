const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ctrl-C, and what else tells a program to end, as a signal, for as long as it is in use: what is under way can then be taken
 * back before the program ends.
 */
export function interruption(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  for (const each of signals) process.once(each, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const each of signals) process.off(each, interrupt);
    },
  };
}
