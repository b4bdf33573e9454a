import { forbidden, invalid, notFound, restoring } from "../api/errors.ts";
import { type Route, requiredScopes } from "../api/operation.ts";
import { lowerCase, malformedIds, type PathIds } from "../api/path.ts";
import { itemId, type Table } from "../store/client.ts";
import { associationKey } from "../store/keys/crbs.ts";
import { credentialKey, tokenKey } from "../store/keys/credentials.ts";
import { invitationTokenKey } from "../store/keys/invitations.ts";
import { restoringKey } from "../store/keys/replication.ts";
import { requireAllowedAddress } from "./allowedAddresses.ts";
import { type Principal, proveApiKey } from "./credentials.ts";
import { proveInvitationToken } from "./invitationTokens.ts";
import { requireRole } from "./roles.ts";
import { hasScope } from "./scopes.ts";
import type { PresentedSecret } from "./secrets.ts";
import { proveToken } from "./tokens.ts";

/**
 * Authorizes a request for a route. One DynamoDB read gets all items that the decision needs, for an invited user two; a rejected
 * request causes no other cost (docs/spec.md#rejected-requests). The read is consistent, so a token is valid as soon as it is issued,
 * and an association grants no access after its end.
 *
 * @param ids the path's ids as received
 * @param address the source address of the request
 * @param kind the path's kind of records, as received
 * @throws ServiceError in the order of docs/spec.md#order-of-checks: unauthorized; forbidden for an address from which the
 * credential may not be used, the wrong kind of credential, a missing scope or a missing role; invalid for malformed ids; forbidden for the
 * `sp_id` of another service provider; notFound for a CRB without an association. On routes for credentials of a CRB,
 * notFound if the `crb_id` is malformed or belongs to another CRB; unavailable for a CRB that is restored
 */
export async function authorize(
  table: Table,
  route: Route,
  ids: PathIds,
  secret: PresentedSecret,
  address: string | undefined,
  kind?: string,
): Promise<Principal> {
  if (secret.kind === "iv") {
    const found = await table.batchGet([invitationTokenKey(secret.clientId)], { consistent: true });
    const principal = admit(proveInvitationToken(found.values().next().value, secret), route, ids, true);
    // Only the token names the CRB.
    const closed = await table.batchGet([restoringKey(principal.owner.id)], { consistent: true });
    return requireOpen(principal, closed.size > 0);
  }
  const credential = credentialKey(secret.clientId);
  const token = secret.kind === "at" ? tokenKey(secret.clientId, secret.digest) : undefined;
  const { sp_id: spId, crb_id: crbId } = lowerCase(ids);
  const association = spId && crbId && !malformedIds(ids) ? associationKey(spId, crbId) : undefined;
  const closed = crbId && !malformedIds(ids) ? restoringKey(crbId) : undefined;
  const keys = [credential, token, association, closed].filter((key) => key !== undefined);
  const found = await table.batchGet(keys, { consistent: true });
  const principal = token
    ? proveToken(found.get(itemId(token)), found.get(itemId(credential)))
    : proveApiKey(found.get(itemId(credential)), secret.digest);
  requireAllowedAddress(principal, address);
  const isAssociated = association === undefined || found.has(itemId(association));
  return requireOpen(
    admit(principal, route, ids, isAssociated, kind),
    closed !== undefined && found.has(itemId(closed)),
  );
}

function requireOpen(principal: Principal, isClosed: boolean): Principal {
  if (isClosed) throw restoring("The records of this CRB are being restored. Try again after Retry-After.");
  return principal;
}

/** Checks whether a credential that is already proved may use the route and the ids in the path. */
function admit(principal: Principal, route: Route, ids: PathIds, associated: boolean, kind?: string): Principal {
  const malformed = malformedIds(ids);
  const { sp_id: spId, crb_id: crbId } = lowerCase(ids);
  if (principal.owner.kind !== route.caller)
    throw forbidden("wrong_path_family", "This kind of credential has no access to this path.");
  for (const scope of requiredScopes(route)) {
    if (!hasScope(principal.scopes, scope))
      throw forbidden(
        "scope_missing",
        `The credential does not hold the scope ${scope}, which this operation requires.`,
      );
  }
  if (principal.person) requireRole(principal.person, principal.hasCustomers === true, route, kind);
  if (route.caller === "crb") {
    if (crbId !== principal.owner.id) throw notFound("CRB");
    return principal;
  }
  if (malformed) throw invalid(malformed);
  if (route.caller === "invitedUser") return principal;
  if (spId !== principal.owner.id)
    throw forbidden("wrong_service_provider", "The credential belongs to another service provider.");
  if (!associated) throw notFound("CRB");
  return principal;
}
