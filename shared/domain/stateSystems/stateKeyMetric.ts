import { log } from "../../platform/aws/log.ts";
import { loggedCount } from "../../platform/aws/metricSeries.ts";
import type { StateConnections } from "../../store/stateConnections.ts";

/** The metric of states for which the service's own key is missing or rejected, for the alarm. */
export const stateKeyRejectedMetric = "StateKeyRejected";

/** Businesses whose keys a state rejects before the fault is the service's own key. */
const minRejected = 2;

/** A license is read every six hours. A state that accepts the service's own key has a newer reading. */
const acceptedMs = 7 * 60 * 60_000;

/**
 * Reports the states that reject the keys of several businesses and have accepted none for hours
 * (docs/operations/alarms.md#state-key-rejected). Metrc has the same response if the service's own key is wrong.
 */
export function reportRejectingStates(listed: readonly StateConnections[], now: Date): void {
  const since = new Date(now.getTime() - acceptedMs).toISOString();
  const all = listed.flatMap(({ crbId, licenses }) => Object.values(licenses).map((each) => ({ ...each, crbId })));
  for (const [state, ofState] of Map.groupBy(all, (each) => each.state)) {
    const rejected = new Set(ofState.filter(({ error }) => error === "key_refused").map(({ crbId }) => crbId));
    const isAccepted = ofState.some(({ readAt }) => readAt !== null && readAt > since);
    if (rejected.size < minRejected || isAccepted) continue;
    log.error("keys of a state rejected", { state, crbs: rejected.size, ...loggedCount(stateKeyRejectedMetric) });
  }
}
