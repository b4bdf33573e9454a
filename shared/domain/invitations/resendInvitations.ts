import { type Item, itemId, type Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { invitationKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";
import type { Key } from "../../store/keys/key.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { InvitationSending } from "./changeSending.ts";
import { readInvitations } from "./invitations.ts";
import { mailCountWrites } from "./mailCountWrites.ts";

/**
 * Maximum number of invitations that one transaction resets. A CRB has up to 100 invitations. A transaction has at most
 * 100 writes, and some of these writes are not for invitations.
 */
const clearedAtOnce = 50;

/**
 * Makes all unsent invitations of a CRB due again, and resets the number of attempts of abandoned invitations. Sent and
 * ended invitations stay unchanged. The schedule requests the unsent invitations from now on; a call of
 * `requestInvitations` requests them at once.
 *
 * @returns the number of all invitations of the CRB, and of the unsent ones
 */
export async function resendInvitations(
  table: Table,
  crbId: string,
  clock: Clock = systemClock,
): Promise<{ all: number; unsent: number }> {
  const serviceProviderId = (await readCrb(table, crbId, { consistent: true }))?.serviceProviderId ?? "";
  let isCounted = false;
  return retryOnConflict(clock, async () => {
    const invitations = await readInvitations(table, crbId);
    const keys = invitations.map(({ id }) => invitationKey(crbId, id));
    const sendings = await table.batchGet(keys, { consistent: true });
    const sendingOf = (key: Key) => sendings.get(itemId(key)) as (Item & InvitationSending) | undefined;
    const unsent = keys.filter((key) => !sendingOf(key)?.sent_at && !sendingOf(key)?.ended);
    if (unsent.length === 0) return { all: keys.length, unsent: 0 };
    const tried = unsent.filter((key) => sendingOf(key)?.attempts);
    const now = clock.now();
    const listed = table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() });
    let cleared = 0;
    do {
      const next = tried.slice(cleared, cleared + clearedAtOnce);
      const count = isCounted ? [] : await mailCountWrites(table, serviceProviderId, unsent.length, now);
      await table.transact([listed, ...count, ...next.map((key) => clearWrite(table, key))]);
      isCounted = true;
      cleared += clearedAtOnce;
    } while (cleared < tried.length);
    return { all: keys.length, unsent: unsent.length };
  });
}

/** Resets the number of attempts to send an invitation. Also removes `failed_at`, so that a new failure is reported. */
const clearWrite = (table: Table, key: Key) =>
  table.updateWrite(
    key,
    { expression: "SET attempts = :none REMOVE failed_at", values: { ":none": 0 } },
    "attribute_not_exists(sent_at)",
  );
