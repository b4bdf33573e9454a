import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { v5 } from "uuid";
import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import type { Table } from "../../store/client.ts";
import { invitationsKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";

/** Never change it: mailed links contain invitation ids derived from it. */
const namespace = "e2c7a914-5b38-4d60-8f1a-96b3d07e4c25";

type User = NonNullable<CrbCreation["users"]>[number];

/** A person invited to a CRB's onboarding. The phone number is not stored, since nothing needs it. */
export interface Invitation extends Pick<User, "email" | "firstName" | "lastName"> {
  id: string;
}

/** Marks a CRB that has unsent invitations or notices. */
export interface Unsent {
  /**
   * ISO 8601 UTC: when the invitations were created, or the operator requested them. For postponed notices, the end of their
   * delay.
   */
  since: string;
  /**
   * When the schedule next requests the unsent invitations, epoch milliseconds; absent before the schedule's first
   * request.
   */
  ask_at?: number;
}

/** Derives the invitations of a CRB. An address that occurs twice is invited once. */
export function invitationsOf(crbId: string, users: readonly User[]): Invitation[] {
  const byAddress = Map.groupBy(users, ({ email }) => email.toLowerCase());
  return [...byAddress].map(([address, [first]]) => {
    const { email, firstName, lastName } = first as User;
    return { email, firstName, lastName, id: v5(JSON.stringify([crbId, address]), namespace) };
  });
}

/**
 * Returns the writes that store the invitations of a new CRB and mark them as unsent; no writes if there are none.
 *
 * @param by client id of the credential that invites; null for the operator
 */
export function invitationWrites(
  table: Table,
  crbId: string,
  invitations: readonly Invitation[],
  now: Date,
  by: Maker | null = null,
): TransactWriteItem[] {
  if (invitations.length === 0) return [];
  return [
    table.putWrite({
      ...invitationsKey(crbId),
      invitations,
      created_by: by?.clientId ?? null,
      ...endsWithOf(by),
      created_date: now.toISOString(),
    }),
    table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
  ];
}

/** The people invited when the CRB was created. */
export async function readInvitations(table: Table, crbId: string): Promise<Invitation[]> {
  const item = await table.get(invitationsKey(crbId), { consistent: true });
  return (item?.invitations as Invitation[] | undefined) ?? [];
}
