import { endAddedKeys } from "../../auth/credentialKeys.ts";
import { credentialStatus, type ListedCredential } from "../../auth/credentials.ts";
import { listIssuedCredentials, revokeAllFound, revokeCredential } from "../../auth/revoke.ts";
import type { Table } from "../../store/client.ts";
import { credentialKey } from "../../store/keys/credentials.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { cancelUpload, doAll } from "../documents/endLinks.ts";
import type { RevocationOptions } from "../documents/journal.ts";
import { endExport } from "../exports/endExport.ts";
import { withdrawInvitation } from "../invitations/withdrawInvitation.ts";
import { type CredentialEnd, revokeEndpointAccess } from "../webhooks/revokeEndpointAccess.ts";
import {
  type CreatedByCredential,
  findCreatedEndpoints,
  findCreatedExports,
  findCreatedInvitations,
  findCreatedUploads,
} from "./createdByCredential.ts";

export interface Stores {
  table: Table;
  bucket: Bucket;
}

/**
 * Revokes a credential (`revokeCredential`). Unless `keepMade` is set, also ends the keys that it added to other
 * credentials, disables the webhook endpoints that the credential made or changed, deletes their secrets, withdraws the
 * credential's invitations, and ends its open uploads, its exports, and the exports whose links it received. Otherwise
 * a thief of the credential could keep access through these resources. An unknown client id changes nothing.
 *
 * If a call fails, a second call finishes its work.
 *
 * @returns the other credentials that this call revoked, and the resources that it ended
 * @throws ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function revokeCredentialAndResources(
  { table, bucket }: Stores,
  clientId: string,
  options: RevocationOptions & { revokedBy?: string },
  clock: Clock = systemClock,
): Promise<{ revoked: ListedCredential[]; made: CreatedByCredential }> {
  // Revoke the credential first, so that the credential can create no more resources (`withActiveCredential`).
  const revoked = await revokeCredential(table, clientId, options, clock);
  const credential = await table.get(credentialKey(clientId), { consistent: true });
  if (!credential || options.keepMade) {
    return { revoked, made: { keys: [], endpoints: [], invitations: [], uploads: [], exports: [] } };
  }
  const spId = String(credential.sp_id);
  const ended = await endKeysAndIssued(table, spId, clientId, options, clock);
  const clientIds = await revokedTogether(table, spId, clientId, options);
  const made = await endResources({ table, bucket }, spId, clientIds, "credential_revoked", clock);
  return { revoked: [...revoked, ...ended.issued], made: { keys: ended.keys, ...made } };
}

/**
 * Ends the keys that an ended credential added to others and, unless `keepIssued`, revokes the credentials that were
 * issued with it or with such keys. Until a key ends, its tokens issue credentials and add keys, so the search repeats
 * until it finds no key.
 *
 * @returns the credentials that lost keys, and those that this call revoked
 */
export async function endKeysAndIssued(
  table: Table,
  spId: string,
  clientId: string,
  options: Pick<RevocationOptions, "keepIssued">,
  clock: Clock,
): Promise<{ keys: ListedCredential[]; issued: ListedCredential[] }> {
  const isActive = (each: ListedCredential) => credentialStatus(each, clock.now()) === "active";
  const findActive = async () => (await listIssuedCredentials(table, spId, clientId)).filter(isActive);
  const keys: ListedCredential[] = [];
  const issued: ListedCredential[] = [];
  for (let isDone = false; !isDone; ) {
    const clientIds = await revokedTogether(table, spId, clientId, options);
    const affected = await endAddedKeys(table, spId, clientIds, clock);
    keys.push(...affected);
    if (!options.keepIssued) issued.push(...(await revokeAllFound(table, findActive, clock)));
    isDone = affected.length === 0;
  }
  return { keys, issued };
}

/**
 * Ends the resources that give access after their credentials have ended. Call it once the credentials and the keys
 * that end with them can create no more.
 *
 * @returns the ended resources
 * @throws ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function endResources(
  { table, bucket }: Stores,
  spId: string,
  clientIds: ReadonlySet<string>,
  reason: CredentialEnd,
  clock: Clock = systemClock,
): Promise<Omit<CreatedByCredential, "keys">> {
  // End the endpoints before the rest. The search for the other resources reads all CRBs, which may take long.
  const endpoints = await findCreatedEndpoints(table, spId, clientIds);
  for (const { id } of endpoints) await revokeEndpointAccess(table, spId, id, clientIds, reason);
  const invitations = await findCreatedInvitations(table, spId, clientIds);
  await doAll(invitations, ({ crbId, id }) => withdrawInvitation(table, crbId, id));
  // Cancel the uploads after the invitations are withdrawn, so that the invited users begin no more uploads.
  const uploads = await findCreatedUploads(table, spId, clientIds);
  await doAll(uploads, ({ crbId, ...upload }) => cancelUpload(table, bucket, crbId, upload));
  const exports = await findCreatedExports(table, spId, clientIds);
  for (const { crbId, id } of exports) {
    await endExport({ table, bucket }, crbId, id, { status: "deleted", reason }, clock);
  }
  return { endpoints, invitations, uploads, exports };
}

/** A credential and, unless `keepIssued`, all that were issued with it or with a key that it added; also revoked ones. */
export async function revokedTogether(
  table: Table,
  spId: string,
  clientId: string,
  { keepIssued }: Pick<RevocationOptions, "keepIssued">,
): Promise<ReadonlySet<string>> {
  const issued = keepIssued ? [] : await listIssuedCredentials(table, spId, clientId);
  return new Set([clientId, ...issued.map(({ client_id }) => client_id)]);
}
