import { isDeepStrictEqual } from "node:util";
import { personRoles } from "../../api/enumerations.ts";
import { conflict, forbidden, unauthorized } from "../../api/errors.ts";
import type { IdentityProvider, IdentityProviderSettings } from "../../api/schemas/identityProvider.ts";
import { toPerson } from "../../api/schemas/person.ts";
import {
  issuerCheck,
  issuerCondition,
  type ListedCredential,
  limitToIssuer,
  newCredential,
  noticeKeys,
  type Principal,
} from "../../auth/credentials.ts";
import { buildRevocations } from "../../auth/revoke.ts";
import { roleScopes } from "../../auth/roles.ts";
import { findUncoveredScope, hasScope } from "../../auth/scopes.ts";
import { type Table, unchanged } from "../../store/client.ts";
import { forServiceProvider } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import {
  credentialExpiryKey,
  credentialKey,
  identityProviderKey,
  issuerKey,
  shortNameKey,
} from "../../store/keys/credentials.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { noteRevocations } from "../documents/journal.ts";
import { isActive, readIdentityProvider, type StoredIdentityProvider, toRecord } from "./storedIdentityProvider.ts";

/** The widest role that settings give. */
const widestRole = ({ roles }: IdentityProviderSettings) =>
  personRoles.findLast((role) => roles.some((mapping) => mapping.role === role)) ?? "viewer";

/**
 * Sets the identity provider of a service provider (docs/spec.md#identity-provider). Persons have a credential without a
 * secret, which the credential that makes the settings issues. So it has no scope, no later expiry and no address that the
 * issuer lacks, and it ends with its issuer. Every change makes another credential, which ends the tokens of all persons. What
 * persons issued and made stays, and ends with the issuer.
 *
 * @param actor the caller; undefined for the operator
 * @throws ServiceError "forbidden" if the settings give persons more than the caller has; "conflict" if another service
 * provider has the short name or the issuer; "unauthorized" if the caller's credential ends meanwhile; "notFound" if the
 * service provider does not exist
 */
export function setIdentityProvider(
  { table, bucket }: { table: Table; bucket: Bucket },
  spId: string,
  settings: IdentityProviderSettings,
  actor: Principal | undefined,
  clock: Clock = systemClock,
): Promise<IdentityProvider> {
  const noted = new Set<string>();
  return retryOnConflict(clock, async () => {
    const found = await readIdentityProvider(table, spId);
    const now = clock.now();
    const before = isActive(found?.credential, now) ? found?.credential : undefined;
    const isOwn = before !== undefined && before.client_id === actor?.clientId;
    if (actor) requireGrant(actor, settings, isOwn ? undefined : before);
    const isSame = found && isDeepStrictEqual(found.stored.settings, settings);
    if (isSame && before && (isOwn || before.issued_by === actor?.clientId)) return toRecord(found.stored, before, now);
    const role = widestRole(settings);
    const issued = newCredential({
      owner: { kind: "serviceProvider", id: spId },
      spId,
      scopes: roleScopes[role],
      issuedBy: actor?.clientId,
      keyEndsWith: actor?.keyEndsWith,
      issuedByPerson: toPerson(actor?.person),
      name: `Identity provider ${settings.short_name}`,
      persons: { role, customers: settings.customers },
    });
    const credential = limitToIssuer(issued.item, actor);
    const stored: StoredIdentityProvider = {
      settings,
      credential_id: credential.client_id,
      changed_at: now.toISOString(),
      changed_by: actor?.clientId ?? null,
      changed_by_person: toPerson(actor?.person),
    };
    // A restored table must not give persons the access that the earlier settings gave.
    if (before && !noted.has(before.client_id)) await noteRevocations(bucket, [before.client_id]);
    if (before) noted.add(before.client_id);
    const { expires_at } = credential;
    const revoked = before ? buildRevocations(table, [before], now, actor?.clientId) : { writes: [], events: [] };
    const own = before && isOwn ? [ownRevocation(table, before, actor as Principal, now)] : [];
    const old = found?.stored.settings;
    const writes = [
      claim(table, shortNameKey(settings.short_name), spId),
      claim(table, issuerKey(settings.issuer, settings.client_id), spId),
      ...(actor && !isOwn ? [issuerCheck(table, actor)] : own),
      table.putWrite({ ...credential }, { expression: "attribute_not_exists(pk)" }),
      table.putWrite(issued.listing),
      ...(expires_at === undefined ? [] : [credentialExpiryKey(expires_at, credential.client_id)]).map((key) =>
        table.putWrite({ ...key }),
      ),
      ...noticeKeys(credential).map((key) => table.putWrite({ ...key })),
      table.putWrite(
        { ...identityProviderKey(spId), ...stored },
        unchanged("credential_id", found?.stored.credential_id),
      ),
      ...(old && old.short_name !== settings.short_name ? [release(table, shortNameKey(old.short_name), spId)] : []),
      ...(old && (old.issuer !== settings.issuer || old.client_id !== settings.client_id)
        ? [release(table, issuerKey(old.issuer, old.client_id), spId)]
        : []),
      ...(isOwn ? [] : revoked.writes),
    ];
    const changed = { type: "identity_provider.changed", spId, crbId: null } as const;
    const events = [issued.event, { ...changed, data: { credential_id: credential.client_id } }, ...revoked.events];
    try {
      await forServiceProvider(table, spId, (isThere) =>
        commitWithEvents(table, { writes: [isThere, ...writes], events }, clock),
      );
    } catch (error) {
      if (isUnmet(error, 1))
        throw conflict("short_name_taken", "Another service provider has this short_name: choose another one.");
      if (isUnmet(error, 2))
        throw conflict(
          "identity_provider_taken",
          "Another service provider has this issuer with this client_id. Register an application of your own at the identity provider.",
        );
      if (actor && isUnmet(error, 3)) throw unauthorized();
      throw error;
    }
    return toRecord(stored, credential, now);
  });
}

/** Settings give persons nothing that the caller lacks, and end no access that the caller lacks. */
function requireGrant(actor: Principal, settings: IdentityProviderSettings, ended: ListedCredential | undefined): void {
  const role = widestRole(settings);
  const wanted = [...roleScopes[role], ...(ended?.scopes ?? [])];
  const missing = findUncoveredScope(actor.scopes, wanted, "serviceProvider");
  if (missing !== undefined)
    throw forbidden(
      "scope_missing",
      hasScope(roleScopes[role], missing)
        ? `The credential lacks the scope ${missing}, which the role ${role} includes. Map only roles whose scopes it holds.`
        : `The credential lacks the scope ${missing} of the present settings. Use a credential with more scopes.`,
    );
  if (actor.person && settings.customers && !actor.hasCustomers)
    throw forbidden(
      "role_missing",
      "A person who may not read customers cannot set customers to true. Use the credential of a program.",
    );
}

/** Revokes the credential of the person who changes the settings, on the conditions of an issuer. */
function ownRevocation(table: Table, { client_id }: ListedCredential, actor: Principal, now: Date) {
  const { expression, values } = issuerCondition(actor);
  const update = {
    expression: "SET revoked_at = :revoked, revoked_by = :by",
    values: { ...values, ":revoked": now.toISOString(), ":by": client_id },
  };
  return table.updateWrite(credentialKey(client_id), update, expression);
}

const claim = (table: Table, key: { pk: string; sk: string }, spId: string) =>
  table.putWrite(
    { ...key, sp_id: spId },
    { expression: "attribute_not_exists(pk) OR sp_id = :sp", values: { ":sp": spId } },
  );

/** Deletes a claim of this service provider. */
export const release = (table: Table, key: { pk: string; sk: string }, spId: string) =>
  table.deleteWrite(key, { expression: "attribute_not_exists(pk) OR sp_id = :sp", values: { ":sp": spId } });
