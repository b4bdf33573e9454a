import { type Table, tryConditionalWrite, unchanged } from "../../store/client.ts";
import { posTypeKey } from "../../store/keys/replication.ts";
import type { ReplicationResult } from "./replicate.ts";

// A vendor that accepts connections and never responds costs a worker the whole timeout of a request, for each of its
// businesses. So each POS type has a circuit breaker. It opens when no run of the type reaches the POS: then no run begins,
// except one trial after each pause. A trial that reaches the POS closes the breaker. A few shops that are down do not open it
// while another shop of the type responds: each shop is read every five minutes.

/** The circuit breaker in the item of a POS type (`posTypeKey`). */
export interface PosBreaker {
  /** time of the first run that could not reach the POS, and number of these runs, since a run has reached it */
  failing_since?: string;
  failures?: number;
  /** the next trial may begin at this time, ISO 8601 UTC; absent if the breaker is closed */
  open_until?: string;
  /** trials in a row that could not reach the POS */
  trials?: number;
}

const minute = 60_000;
/**
 * A breaker opens after a number of failures without a run that reached the POS, and at the earliest some milliseconds after the
 * first of them. Few failures cost little, so the breaker waits for a run of each shop of the type: sales are read every five
 * minutes, plus a tenth. Many failures would occupy the workers until then.
 */
const openings = [
  { failures: 10, ms: 7 * minute },
  { failures: 100, ms: minute },
] as const;
/** In a shorter time after the first failure, a run that reaches the POS need not be recorded. */
const unrecordedMs = minute / 2;
/** A trial that has not ended after this time, in milliseconds, does not prevent the next one. */
const trialMs = 2 * minute;
/** Limit of the pause between trials, in milliseconds. It limits how long an outage lasts for this service after its end. */
const maxPauseMs = 5 * minute;

/** Whether a run may begin. `trialDue` means: one run may begin, as the trial. */
export function stateOf({ open_until }: PosBreaker, now: Date): "closed" | "open" | "trialDue" {
  if (!open_until) return "closed";
  return open_until > now.toISOString() ? "open" : "trialDue";
}

/** The breaker after a failed trial, or after it opened (0 trials). Pauses double up to `maxPauseMs`. */
export function openedAt(now: Date, trials: number): Required<Pick<PosBreaker, "trials" | "open_until">> {
  return { trials, open_until: new Date(now.getTime() + Math.min(minute * 2 ** trials, maxPauseMs)).toISOString() };
}

/** Whether a closed breaker opens, after a failure that is already counted. */
export function opens({ failures = 0, failing_since, open_until }: PosBreaker, now: Date): boolean {
  return !open_until && openings.some((each) => failures >= each.failures && isOlder(failing_since, now, each.ms));
}

/** Whether a run that reached the POS must reset the breaker. */
export function needsReset({ failing_since, open_until }: PosBreaker, now: Date): boolean {
  return open_until !== undefined || isOlder(failing_since, now, unrecordedMs);
}

const isOlder = (since: string | undefined, now: Date, milliseconds: number) =>
  since !== undefined && now.getTime() - Date.parse(since) >= milliseconds;

/**
 * Decides by the breaker whether a run may begin. Of concurrent calls, one gets the trial.
 *
 * @param breaker as read before the run; an outdated value only makes a run begin that another run would have prevented
 * @returns the time of the next attempt if the run must not begin; `claim` of a trial is for `giveTrialBack`
 */
export async function passBreaker(
  table: Table,
  posType: string,
  breaker: PosBreaker,
  now: Date,
): Promise<{ isTrial: boolean; claim?: string } | { until: Date }> {
  switch (stateOf(breaker, now)) {
    case "closed":
      return { isTrial: false };
    case "open":
      return { until: new Date(breaker.open_until as string) };
    case "trialDue": {
      const until = new Date(now.getTime() + trialMs);
      const next = { open_until: until.toISOString() };
      const claim = table.update(posTypeKey(posType), next, unchanged("open_until", breaker.open_until));
      return (await tryConditionalWrite(claim)) ? { isTrial: true, claim: next.open_until } : { until };
    }
  }
}

/** Lets another run begin as the trial at once, after a trial that did not call the POS. */
export async function giveTrialBack(
  table: Table,
  posType: string,
  { open_until }: PosBreaker,
  claim: string,
): Promise<void> {
  await tryConditionalWrite(table.update(posTypeKey(posType), { open_until }, unchanged("open_until", claim)));
}

/** Whether a run shows that the POS responds; undefined if the run did not call it. */
export function reachedPos(result: ReplicationResult): boolean | undefined {
  if (result.outcome === "failed") return result.failure !== "unreachable";
  return result.outcome === "finished" || result.outcome === "unfinished" ? true : undefined;
}

/**
 * Records whether a run reached the POS. Closes the breaker, or opens it.
 *
 * @param breaker as read before the run
 */
export async function recordReach(
  table: Table,
  posType: string,
  breaker: PosBreaker & { isTrial: boolean },
  isReached: boolean,
  now: Date,
): Promise<void> {
  const key = posTypeKey(posType);
  if (isReached) {
    if (needsReset(breaker, now))
      await table.change(key, { expression: "REMOVE failing_since, failures, open_until, trials" });
    return;
  }
  if (breaker.isTrial) {
    await table.update(key, { ...openedAt(now, (breaker.trials ?? 0) + 1) });
    return;
  }
  await table.change(key, {
    expression: "SET failing_since = if_not_exists(failing_since, :now) ADD failures :one",
    values: { ":now": now.toISOString(), ":one": 1 },
  });
  // Many runs fail at once, so the breaker from before this run is outdated.
  const present = ((await table.get(key, { consistent: true })) ?? {}) as PosBreaker;
  if (!opens(present, now)) return;
  const isClosed = { expression: "attribute_not_exists(open_until)" };
  await tryConditionalWrite(table.update(key, { ...openedAt(now, 0) }, isClosed));
}
