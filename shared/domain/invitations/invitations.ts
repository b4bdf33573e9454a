import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { v5 } from "uuid";
import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import type { Table } from "../../store/client.ts";
import { invitationsKey, unsentInvitationsKey } from "../../store/keys/invitations.ts";

/** Fixed for ever: links that were sent name invitations by their ids. */
const namespace = "e2c7a914-5b38-4d60-8f1a-96b3d07e4c25";

type User = NonNullable<CrbCreation["users"]>[number];

/** A person who is invited to a CRB's onboarding. Nothing needs the phone number, so it is not stored. */
export interface Invitation extends Pick<User, "email" | "firstName" | "lastName"> {
  id: string;
}

/** That a CRB's invitations are not all sent. */
export interface Unsent {
  /** when they were made, or the operator asked for them; of notices that wait, until when they do: ISO 8601 UTC */
  since: string;
  /** when the schedule asks for them again, once it has done so: epoch milliseconds */
  ask_at?: number;
}

/** The invitations of a CRB to these people. Who is named twice by the same address is invited once. */
export function invitationsOf(crbId: string, users: readonly User[]): Invitation[] {
  const byAddress = Map.groupBy(users, ({ email }) => email.toLowerCase());
  return [...byAddress].map(([address, [first]]) => {
    const { email, firstName, lastName } = first as User;
    return { email, firstName, lastName, id: v5(JSON.stringify([crbId, address]), namespace) };
  });
}

/**
 * What keeps the invitations of a new CRB until they are sent, for the transaction that creates it; nothing when there
 * are none.
 *
 * @param by client id of the credential that invites; null for the operator
 */
export function invitationWrites(
  table: Table,
  crbId: string,
  invitations: readonly Invitation[],
  now: Date,
  by: string | null = null,
): TransactWriteItem[] {
  if (invitations.length === 0) return [];
  return [
    table.putWrite({ ...invitationsKey(crbId), invitations, created_by: by, created_date: now.toISOString() }),
    table.putWrite({ ...unsentInvitationsKey(crbId), since: now.toISOString() }),
  ];
}

/** The people whom a CRB's creation invited. */
export async function readInvitations(table: Table, crbId: string): Promise<Invitation[]> {
  const item = await table.get(invitationsKey(crbId), { consistent: true });
  return (item?.invitations as Invitation[] | undefined) ?? [];
}
