import { AsyncLocalStorage } from "node:async_hooks";

/** Who looks on while a POS is read, to tell in what its answers differ from what is known of it. */
export interface Observer {
  /** @param read what was made of a row; undefined where it breaks the shape */
  row(raw: unknown, read: unknown): void;
  /** Something that the POS does not say, and what it was taken to be: `unit of an order`, `dollars`. */
  guess(what: string, taken: string): void;
}

/** Around the connectors, which need not know of it. */
const observers = new AsyncLocalStorage<Observer>();

/** Reads a POS while somebody looks on. */
export const withObserver = <Result>(observer: Observer, work: () => Promise<Result>): Promise<Result> =>
  observers.run(observer, work);

/** Reads what is none of the records that somebody looks at, such as the stores or rooms that these name. */
export const withoutObserver = <Result>(work: () => Promise<Result>): Promise<Result> => observers.exit(work);

export const observeRow = (raw: unknown, read: unknown): void => observers.getStore()?.row(raw, read);

/** Notes what was guessed; neither text holds anything that the POS said. */
export const observeGuess = (what: string, taken: string): void => observers.getStore()?.guess(what, taken);
