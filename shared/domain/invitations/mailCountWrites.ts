import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { invitationMailsKey } from "../../store/keys/invitations.ts";
import { utcDay } from "../../time/clock.ts";

/** Invitation mails of a service provider on one UTC day, resent ones included (docs/spec.md#limits). */
const maxPerDay = 500;
const dayMilliseconds = 24 * 60 * 60_000;

/**
 * What counts invitation mails of a service provider, for the transaction that asks for them; nothing for none. The
 * transaction is refused where others have used up the day in the meantime. A mail counts on the day on which it is asked
 * for, and once, however often the sender must try.
 *
 * @throws ServiceError "throttled" when the day has not room for all of them, until the next day begins
 */
export async function mailCountWrites(
  table: Table,
  serviceProviderId: string,
  mails: number,
  now: Date,
): Promise<TransactWriteItem[]> {
  if (mails === 0) return [];
  const key = invitationMailsKey(serviceProviderId, utcDay(now));
  const counted = ((await table.get(key, { consistent: true }))?.mails as number | undefined) ?? 0;
  const tomorrow = Date.parse(utcDay(now)) + dayMilliseconds;
  if (counted + mails > maxPerDay) {
    throw new ServiceError("throttled", {
      message: `${maxPerDay} invitation mails are sent a day (UTC) for a service provider; ${maxPerDay - counted} are left today.`,
      retryAfter: Math.ceil((tomorrow - now.getTime()) / 1_000),
    });
  }
  const update = {
    expression: "ADD #mails :mails SET #expires = :expires",
    names: { "#mails": "mails", "#expires": "expires" },
    values: { ":mails": mails, ":expires": (tomorrow + dayMilliseconds) / 1_000, ":room": maxPerDay - mails },
  };
  return [table.updateWrite(key, update, "attribute_not_exists(#mails) OR #mails <= :room")];
}
