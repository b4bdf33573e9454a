import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { invitationMailsKey } from "../../store/keys/invitations.ts";
import { utcDay } from "../../time/clock.ts";

/** Maximum invitation mails of a service provider per UTC day, including resent ones (docs/spec.md#limits). */
const maxPerDay = 500;
const dayMilliseconds = 24 * 60 * 60_000;

/**
 * Returns the writes that count requested invitation mails; no writes if there are no mails. The transaction fails if
 * concurrent requests exhaust the day's limit. A mail counts once, on the day of its request, however many attempts it
 * needs.
 *
 * @throws ServiceError "throttled" if the mails exceed the limit, with the seconds to the next day
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
      code: "invitation_limit",
      message: `A service provider can send ${maxPerDay} invitation mails a UTC day, and ${maxPerDay - counted} are left. Invite fewer users, or try again after Retry-After.`,
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
