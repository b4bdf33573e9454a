import { AsyncLocalStorage } from "node:async_hooks";

/** The check before each request to a POS. Asynchronous context passes it to the connectors. */
const guards = new AsyncLocalStorage<() => Promise<void>>();

/**
 * Runs work that reads a POS, and checks the guard before each request. If the connection ends while the work runs, no
 * further request may reach the POS.
 *
 * @param check throws once requests are no longer allowed
 */
export const withRequestGuard = <Result>(check: () => Promise<void>, work: () => Promise<Result>): Promise<Result> =>
  guards.run(check, work);

/** Callers await it before each request to a POS. @throws the error of the check */
export const checkRequestGuard = async (): Promise<void> => guards.getStore()?.();
