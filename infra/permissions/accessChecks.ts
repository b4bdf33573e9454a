import type { Operation } from "../../shared/api/operation.ts";
import type { PermissionSet } from "./permissionSets.ts";

/**
 * The permissions for an operation's authorization: on the credential, the record of its use, the association if the
 * path names a CRB, and the rate limit if the operation has one.
 */
export function accessChecks({ routes, rateLimit }: Pick<Operation, "routes" | "rateLimit">): PermissionSet[] {
  const hasCredential = routes.some(({ caller }) => caller !== "invitedUser" && caller !== "nobody");
  const use = hasCredential ? (["credentialUse:record"] as const) : [];
  // The token exchange has its own permission set for reading the credential.
  if (routes.every(({ caller }) => caller === "anyone" || caller === "nobody")) return [...use];
  const associated = routes.some(({ caller, path }) => caller === "serviceProvider" && path.includes("{crb_id}"));
  return [
    "credentials:check",
    ...use,
    ...(associated ? (["associations:check"] as const) : []),
    ...(rateLimit ? (["allowance:use"] as const) : []),
  ];
}
