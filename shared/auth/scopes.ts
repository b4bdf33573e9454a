import { type AccessScope, type EventType, followsFromSales } from "../api/enumerations.ts";
import { forbidden } from "../api/errors.ts";

/** The scopes of a service provider's credential (docs/spec.md#path-families-and-scopes). */
export const serviceProviderScopes: readonly AccessScope[] = [
  "service-provider:read",
  "service-provider:write",
  "point-of-sale:read",
  "create-crb-api-key:write",
];

/** All scopes that a CRB's credential can have (docs/spec.md#path-families-and-scopes). */
export const crbScopes: readonly AccessScope[] = ["crb:read", "point-of-sale:read"];

/**
 * For a scope of a CRB's pair, the scope that the issuing service provider must have. Both scopes grant access to the
 * same data.
 */
const issuerScopes: Partial<Record<AccessScope, AccessScope>> = {
  "crb:read": "service-provider:read",
  "point-of-sale:read": "point-of-sale:read",
};

/**
 * The scopes of a pair for a CRB. The pair gets no scope that its issuer lacks; a token with narrowed scopes can be the
 * issuer.
 *
 * @throws ServiceError "forbidden" if no scope remains
 */
export function restrictToCrbScopes(issuer: readonly AccessScope[]): readonly AccessScope[] {
  const granted = crbScopes.filter((scope) => hasScope(issuer, issuerScopes[scope] ?? scope));
  if (granted.length > 0) return granted;
  throw forbidden(
    "scope_missing",
    "The credential holds neither service-provider:read nor point-of-sale:read, so the new pair would have no scope.",
  );
}

/**
 * Whether the held scopes include the wanted scope. The scope `admin` includes all scopes
 * (docs/spec.md#path-families-and-scopes).
 */
export const hasScope = (held: readonly AccessScope[], wanted: AccessScope): boolean =>
  held.includes(wanted) || held.includes("admin");

/**
 * Checks whether a caller may choose what a webhook endpoint sends, and where.
 *
 * @param eventTypes those of the endpoint; all types if empty
 * @throws ServiceError "forbidden"
 */
export function requireEventScope(held: readonly AccessScope[], eventTypes: readonly EventType[]): void {
  const needsSales = eventTypes.length === 0 || eventTypes.some(followsFromSales);
  if (!needsSales || hasScope(held, "point-of-sale:read")) return;
  throw forbidden(
    "scope_missing",
    "The credential does not hold the scope point-of-sale:read, which events of sales days, reconciliation days, state days, insights and statements require. Name other event_types.",
  );
}

/**
 * The first scope of a credential that the held scopes do not cover; undefined if they cover all. For a CRB's credential,
 * the scopes of its possible issuer count, since both grant access to the same data.
 *
 * @param ownerKind the kind of owner of the credential with the wanted scopes
 */
export const findUncoveredScope = (
  held: readonly AccessScope[],
  wanted: readonly AccessScope[],
  ownerKind: "serviceProvider" | "crb",
): AccessScope | undefined =>
  wanted
    .map((scope) => (ownerKind === "crb" ? (issuerScopes[scope] ?? scope) : scope))
    .find((scope) => !hasScope(held, scope));

/**
 * The scopes of a token (docs/spec.md#token-exchange): the wanted scopes without repetition, or all scopes of the
 * credential if the request names no scope.
 *
 * @throws ServiceError "forbidden" if the credential does not have a wanted scope
 */
export function narrowScopes(
  held: readonly AccessScope[],
  wanted: readonly AccessScope[] = [],
): readonly AccessScope[] {
  if (wanted.length === 0) return held;
  const missing = wanted.find((scope) => !hasScope(held, scope));
  if (missing) throw forbidden("scope_missing", `The credential does not hold the scope ${missing}.`);
  return [...new Set(wanted)];
}
