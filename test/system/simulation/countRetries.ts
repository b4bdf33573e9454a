import { AsyncLocalStorage } from "node:async_hooks";
import { log } from "../../../shared/platform/aws/log.ts";

/** The number of retries, by the name of the error that caused them. */
export type Retries = Record<string, number>;

/** The counts of the current work. */
const present = new AsyncLocalStorage<Retries>();

// Installed once for all histories, which run at the same time: the storage says to which one a log line belongs.
const { debug } = log;
log.debug = (message, ...more) => {
  const counts = present.getStore();
  const [{ reason } = {}] = more as { reason?: string }[];
  if (counts && message === "retries" && reason) counts[reason] = (counts[reason] ?? 0) + 1;
  debug.call(log, message, ...more);
};

/** Counts the retries of some work. */
export function countRetries<T>(counts: Retries, work: () => Promise<T>): Promise<T> {
  return present.run(counts, work);
}
