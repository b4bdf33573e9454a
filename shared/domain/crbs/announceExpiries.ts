import { credentialStatus, type ListedCredential } from "../../auth/credentials.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { exists, type Item, type Table } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { credentialKey, credentialNoticePartition } from "../../store/keys/credentials.ts";
import type { Key } from "../../store/keys/key.ts";
import { afterTime, lastKeyOf } from "../../store/keys/key.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPast } from "../../time/deadline.ts";

const dayMs = 86_400_000;

/**
 * Sends an event for each credential that expires in 30 or in 7 days (docs/spec.md#credential-events). The transaction of the
 * event deletes the notice, so each is sent once. A credential that has ended gets none. If both notices of a credential are
 * due at once, because the service was paused, both are sent with the days that are left. An error does not stop other notices.
 *
 * @param deadline after this time, the function sends no further event
 * @returns the numbers of sent events and of failed notices
 */
export async function announceExpiries(
  table: Table,
  clock: Clock = systemClock,
  deadline?: Date,
): Promise<{ announced: number; failed: number }> {
  const last = lastKeyOf(clock.now().toISOString());
  const due = await table.queryPartition(credentialNoticePartition, { to: last });
  const result = { announced: 0, failed: 0 };
  for (const { pk, sk } of due) {
    if (isPast(clock, deadline)) break;
    try {
      if (await announce(table, { pk, sk }, clock)) result.announced++;
    } catch (error) {
      result.failed++;
      log.error("expiry not announced", { client_id: afterTime(sk), error: describeError(error) });
    }
  }
  return result;
}

async function announce(table: Table, notice: Key, clock: Clock): Promise<boolean> {
  return retryOnConflict(clock, async () => {
    const clientId = afterTime(notice.sk);
    const item = await table.get(credentialKey(clientId), { consistent: true });
    const credential = item as (Item & ListedCredential) | undefined;
    const now = clock.now();
    if (credential?.expires_at === undefined || credentialStatus(credential, now) !== "active") {
      await table.delete(notice);
      return false;
    }
    const { owner, sp_id: spId, expires_at } = credential;
    const days = Math.ceil((Date.parse(expires_at) - now.getTime()) / dayMs);
    const crbId = owner.kind === "crb" ? owner.id : null;
    const event = { type: "credential.expiring", spId, crbId, data: { client_id: clientId, days } } as const;
    try {
      await commitWithEvents(table, { writes: [table.deleteWrite(notice, exists)], events: [event] }, clock);
      return true;
    } catch (error) {
      // Another run has sent the event.
      if (isUnmet(error, 0)) return false;
      throw error;
    }
  });
}
