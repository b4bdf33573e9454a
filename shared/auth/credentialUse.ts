import { describeError, log } from "../platform/aws/log.ts";
import type { Table } from "../store/client.ts";
import { credentialUseKey } from "../store/keys/credentials.ts";
import { type Clock, systemClock, utcDay } from "../time/clock.ts";

/** The credentials whose use on `recordedDay` this process has recorded. */
const recorded = new Set<string>();
let recordedDay = "";

/**
 * Records the UTC day on which a credential is used. Each process writes once per credential and day. A failure is
 * logged and not thrown; the next request with the credential tries again.
 */
export async function recordCredentialUse(table: Table, clientId: string, clock: Clock = systemClock): Promise<void> {
  const day = utcDay(clock.now());
  if (day !== recordedDay) recorded.clear();
  recordedDay = day;
  if (recorded.has(clientId)) return;
  // The credential is added before the write, so that concurrent requests do not write again.
  recorded.add(clientId);
  try {
    await table.change(
      credentialUseKey(clientId),
      { expression: "SET last_used = :day", values: { ":day": day } },
      "attribute_not_exists(last_used) OR last_used < :day",
    );
  } catch (error) {
    recorded.delete(clientId);
    log.warn("the use of a credential was not recorded", { client_id: clientId, error: describeError(error) });
  }
}
