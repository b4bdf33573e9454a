import { AsyncLocalStorage } from "node:async_hooks";

/** Observes the reading of a POS, to report where its responses differ from the known format. */
export interface Observer {
  /** @param read the parsed row; undefined if it breaks the schema */
  row(raw: unknown, read: unknown): void;
  /** A value that the POS does not state, and the connector's assumption: `unit of an order`, `dollars`. */
  guess(what: string, taken: string): void;
}

/** Set around the connectors, so that they need no parameter for it. */
const observers = new AsyncLocalStorage<Observer>();

/** Runs `work` with an observer. */
export const withObserver = <Result>(observer: Observer, work: () => Promise<Result>): Promise<Result> =>
  observers.run(observer, work);

/** Runs `work` without the observer, for rows that are not its records, such as stores or rooms. */
export const withoutObserver = <Result>(work: () => Promise<Result>): Promise<Result> => observers.exit(work);

export const observeRow = (raw: unknown, read: unknown): void => observers.getStore()?.row(raw, read);

/** Reports an assumption. Neither text may hold data of the POS. */
export const observeGuess = (what: string, taken: string): void => observers.getStore()?.guess(what, taken);
