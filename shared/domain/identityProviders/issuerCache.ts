import { describeError, log } from "../../platform/aws/log.ts";

/** Milliseconds after a failed reading in which no request causes another one. */
export const failurePauseMs = 10_000;

/** A value, and when it was read, in epoch milliseconds. */
interface Loaded<Value> {
  value: Value;
  at: number;
}

/**
 * Keeps the last reading of each identity provider by this process. Only issuers of stored settings are read, so there are few.
 *
 * @param read reads an identity provider
 * @returns loads a value that was read at most `ageMs` before `now`. Simultaneous requests share one reading. It rejects with
 * the error of `read`
 */
export function issuerCache<Value>(read: (issuer: string) => Promise<Value>) {
  const loads = new Map<string, { loaded: Promise<Loaded<Value>>; startedAt: number; isFailed?: true }>();
  return (issuer: string, now: number, ageMs: number): Promise<Loaded<Value>> => {
    const last = loads.get(issuer);
    if (last && now - last.startedAt < (last.isFailed ? failurePauseMs : ageMs)) return last.loaded;
    const entry: NonNullable<typeof last> = {
      startedAt: now,
      loaded: read(issuer).then(
        (value) => ({ value, at: now }),
        (error) => {
          entry.isFailed = true;
          log.warn("identity provider not read", { issuer, error: describeError(error) });
          throw error;
        },
      ),
    };
    loads.set(issuer, entry);
    return entry.loaded;
  };
}
