/** Ctrl-C as a signal, for as long as it is in use: what is under way can then be taken back before the program ends. */
export function interruption(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once("SIGINT", interrupt);
  return { signal: controller.signal, [Symbol.dispose]: () => process.off("SIGINT", interrupt) };
}
