import { AsyncLocalStorage } from "node:async_hooks";

/** What a piece of work asks before each request to a POS; around the connectors, which need not know of it. */
const asked = new AsyncLocalStorage<() => Promise<void>>();

/**
 * Does what reads a POS as long as it may: a connection can be ended meanwhile, and from then on nothing more is requested.
 *
 * @param check throws once it may not any more
 */
export const withRequestGuard = <Result>(check: () => Promise<void>, work: () => Promise<Result>): Promise<Result> =>
  asked.run(check, work);

/** To be awaited before each request to a POS. @throws what the check throws */
export const checkRequestGuard = async (): Promise<void> => asked.getStore()?.();
