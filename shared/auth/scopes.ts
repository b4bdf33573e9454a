import type { AccessScope } from "../api/enumerations.ts";
import { forbidden } from "../api/errors.ts";

/** The scopes of a service provider's credential (docs/spec.md#path-families-and-scopes). */
export const serviceProviderScopes: readonly AccessScope[] = [
  "service-provider:read",
  "service-provider:write",
  "point-of-sale:read",
  "create-crb-api-key:write",
];

/** The maximum scopes of a CRB's credential (docs/spec.md#path-families-and-scopes). */
export const crbScopes: readonly AccessScope[] = ["crb:read", "point-of-sale:read"];

/** The scope that a service provider needs to issue a pair with each scope; both grant access to the same data. */
const issuerScopes: Partial<Record<AccessScope, AccessScope>> = {
  "crb:read": "service-provider:read",
  "point-of-sale:read": "point-of-sale:read",
};

/**
 * The scopes of a pair for a CRB: only those that its issuer, such as a narrowed token, has.
 *
 * @throws ServiceError "forbidden" if none remains
 */
export function restrictToCrbScopes(issuer: readonly AccessScope[]): readonly AccessScope[] {
  const granted = crbScopes.filter((scope) => hasScope(issuer, issuerScopes[scope] ?? scope));
  if (granted.length > 0) return granted;
  throw forbidden(
    "The credential holds neither service-provider:read nor point-of-sale:read, so the new pair would have no scope.",
  );
}

/** Whether the scopes include a wanted one; `admin` includes all (docs/spec.md#path-families-and-scopes). */
export const hasScope = (held: readonly AccessScope[], wanted: AccessScope): boolean =>
  held.includes(wanted) || held.includes("admin");

/**
 * The scopes of a token (docs/spec.md#token-exchange): the wanted ones without repetition, or all of the credential's
 * if none is wanted.
 *
 * @throws ServiceError "forbidden" if a wanted scope is not held
 */
export function narrowScopes(
  held: readonly AccessScope[],
  wanted: readonly AccessScope[] = [],
): readonly AccessScope[] {
  if (wanted.length === 0) return held;
  const missing = wanted.find((scope) => !hasScope(held, scope));
  if (missing) throw forbidden(`The credential does not hold the scope ${missing}.`);
  return [...new Set(wanted)];
}
