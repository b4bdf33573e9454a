import { conflict, notFound } from "../../api/errors.ts";
import type { IdentityProvider } from "../../api/schemas/identityProvider.ts";
import { listCredentials, type Principal } from "../../auth/credentials.ts";
import { requireRevocationRight } from "../../auth/revocationRights.ts";
import { unchanged } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { identityProviderKey, issuerKey, shortNameKey } from "../../store/keys/credentials.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { revokeCredentialJournaled } from "../crbs/journaledCrbChanges.ts";
import type { Stores } from "../crbs/revokeCredentialAndResources.ts";
import type { RevocationOptions } from "../documents/journal.ts";
import { release } from "./setIdentityProvider.ts";
import { readIdentityProvider, toRecord } from "./storedIdentityProvider.ts";

/**
 * Removes the identity provider of a service provider, which ends the access of all persons (docs/spec.md#identity-provider). The
 * credential is revoked first, so an interrupted call leaves suspended settings, and another call finishes it.
 *
 * @param actor the caller; undefined for the operator
 * @returns the settings as they were, suspended
 * @throws ServiceError "notFound" without an identity provider; "conflict" if the caller signed in with it; "forbidden" if the
 * caller lacks a scope of it
 */
export async function removeIdentityProvider(
  stores: Stores,
  spId: string,
  actor: Principal | undefined,
  options: RevocationOptions,
  clock: Clock = systemClock,
): Promise<IdentityProvider> {
  const { table } = stores;
  const found = await readIdentityProvider(table, spId);
  if (!found) throw notFound("identity provider");
  const { stored, credential } = found;
  const { settings, credential_id: clientId } = stored;
  if (actor?.clientId === clientId)
    throw conflict(
      "credential_in_use",
      "A person cannot remove the identity provider of the own session. Use the credential of a program, or contact the operator.",
    );
  if (actor && credential) requireRevocationRight(actor, credential, await listCredentials(table, spId));
  const revokedBy = actor && { revokedBy: actor.clientId };
  await revokeCredentialJournaled(stores, clientId, { ...options, ...revokedBy }, clock);
  const writes = [
    table.deleteWrite(identityProviderKey(spId), unchanged("credential_id", clientId)),
    release(table, shortNameKey(settings.short_name), spId),
    release(table, issuerKey(settings.issuer, settings.client_id), spId),
  ];
  const event = { type: "identity_provider.changed", spId, crbId: null, data: { credential_id: null } } as const;
  await retryOnConflict(clock, () => commitWithEvents(table, { writes, events: [event] }, clock));
  return { ...toRecord(stored, credential, clock.now()), status: "suspended" };
}
