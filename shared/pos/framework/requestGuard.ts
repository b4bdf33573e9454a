import { AsyncLocalStorage } from "node:async_hooks";

/** The check before each request to a POS. It is set around the connectors, so that they need no parameter for it. */
const asked = new AsyncLocalStorage<() => Promise<void>>();

/**
 * Runs work that reads a POS under a guard. A connection can end meanwhile; no request may follow.
 *
 * @param check throws once requests are no longer allowed
 */
export const withRequestGuard = <Result>(check: () => Promise<void>, work: () => Promise<Result>): Promise<Result> =>
  asked.run(check, work);

/** Callers await it before each request to a POS. @throws the error of the check */
export const checkRequestGuard = async (): Promise<void> => asked.getStore()?.();
