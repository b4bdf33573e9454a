import { type AccessScope, type PersonRole, personRoles } from "../api/enumerations.ts";
import { forbidden } from "../api/errors.ts";
import { leastRole, type Route } from "../api/operation.ts";

/** A person who signed in with the identity provider of a service provider. */
export interface Person {
  /** The person's id at the identity provider. */
  sub: string;
  /** null if the identity provider states none. */
  name: string | null;
  role: PersonRole;
}

/** The scopes that the operations of a role require. A test compares them with the operation registry. */
export const roleScopes: Readonly<Record<PersonRole, readonly AccessScope[]>> = {
  viewer: ["service-provider:read", "point-of-sale:read"],
  reviewer: ["service-provider:read", "point-of-sale:read", "service-provider:write"],
  administrator: ["service-provider:read", "point-of-sale:read", "service-provider:write", "create-crb-api-key:write"],
};

/** Whether a role includes the operations of another one. */
export const includesRole = (held: PersonRole, wanted: PersonRole): boolean =>
  personRoles.indexOf(held) >= personRoles.indexOf(wanted);

/**
 * Checks whether a person may call an operation (docs/access.md).
 *
 * @param hasCustomers whether the identity provider's setting `customers` is true
 * @param kind the path's kind of records, as received
 * @throws ServiceError "forbidden"
 */
export function requireRole(person: Person, hasCustomers: boolean, route: Route, kind?: string): void {
  const wanted = leastRole(route);
  if (!includesRole(person.role, wanted))
    throw forbidden(
      "role_missing",
      `This operation requires the role ${wanted}, not ${person.role}. Your identity provider gives roles.`,
    );
  if (!hasCustomers && requestsCustomers(route, kind))
    throw forbidden("role_missing", "Persons reach customers only if setIdentityProvider sets customers to true.");
}

/** Any kind but customers is either another enumerated kind or invalid. */
const requestsCustomers = ({ holdsCustomers }: Route, kind: string | undefined): boolean =>
  holdsCustomers === "always" || (holdsCustomers === "byKind" && kind === "customers");
