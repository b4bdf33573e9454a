import { AsyncLocalStorage } from "node:async_hooks";

/** Observes the reading of a POS, to report where its responses differ from the known format. */
export interface Observer {
  /** @param read the parsed row; undefined if the row breaks the schema */
  row(raw: unknown, read: unknown): void;
  /** Reports a fact that the POS leaves open (`unit of an order`), and the assumed value (`dollars`). */
  guess(what: string, taken: string): void;
}

/** The current observer. Asynchronous context passes it to the connectors, so they need no parameter for it. */
const observers = new AsyncLocalStorage<Observer>();

/** Runs `work` with an observer. */
export const withObserver = <Result>(observer: Observer, work: () => Promise<Result>): Promise<Result> =>
  observers.run(observer, work);

/** Runs `work` without the observer, for rows that do not become records of the pull, such as rooms. */
export const withoutObserver = <Result>(work: () => Promise<Result>): Promise<Result> => observers.exit(work);

export const observeRow = (raw: unknown, read: unknown): void => observers.getStore()?.row(raw, read);

/** Reports an assumption. Neither text may contain data from the POS. */
export const observeGuess = (what: string, taken: string): void => observers.getStore()?.guess(what, taken);
