const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Turns SIGINT and other termination signals into an abort signal until disposed, so that the program can undo work in
 * progress before it ends.
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
