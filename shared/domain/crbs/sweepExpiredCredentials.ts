import { describeError, log } from "../../platform/aws/log.ts";
import { credentialExpiryPartition, credentialKey } from "../../store/keys/credentials.ts";
import { afterTime, lastKeyOf } from "../../store/keys/key.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPast } from "../../time/deadline.ts";
import { endKeysAndIssued, endResources, revokedTogether, type Stores } from "./revokeCredentialAndResources.ts";

/**
 * Milliseconds after the expiry until the sweep. A request that began before the expiry has ended by then, so it
 * creates nothing that the sweep would miss.
 */
const quietPeriodMs = 2 * 60_000;

/**
 * Ends the resources of service providers' credentials that have expired, as a revocation does
 * (docs/spec.md#ending-a-credential): otherwise a thief could keep access through them. The credentials that an expired
 * one issued have expired, too. Those that were issued with a key that it added to another credential are revoked. The
 * resources of a revoked credential are left to its revocation, which may keep them. An error does not stop the sweep
 * of other credentials, and the next sweep repeats the failed one.
 *
 * @param deadline after this time, the sweep begins no further credential
 * @returns the numbers of expired credentials whose resources were ended, and of those for which that failed
 */
export async function sweepExpiredCredentials(
  stores: Stores,
  clock: Clock = systemClock,
  deadline?: Date,
): Promise<{ expired: number; failed: number }> {
  const { table } = stores;
  const until = new Date(clock.now().getTime() - quietPeriodMs);
  const due = await table.queryPartition(credentialExpiryPartition, { to: lastKeyOf(until.toISOString()) });
  const swept = { expired: 0, failed: 0 };
  for (const { pk, sk } of due) {
    if (isPast(clock, deadline)) break;
    const clientId = afterTime(sk);
    try {
      const credential = await table.get(credentialKey(clientId), { consistent: true });
      if (credential && credential.revoked_at === undefined) {
        const spId = String(credential.sp_id);
        const options = { keepIssued: false };
        await endKeysAndIssued(table, spId, clientId, options, clock);
        const clientIds = await revokedTogether(table, spId, clientId, options);
        await endResources(stores, spId, clientIds, "credential_expired", clock);
      }
      await table.delete({ pk, sk });
      swept.expired++;
    } catch (error) {
      swept.failed++;
      log.error("expired credential not swept", { client_id: clientId, error: describeError(error) });
    }
  }
  return swept;
}
