import type { Operation } from "../../shared/api/operation.ts";
import type { PermissionSet } from "./permissionSets.ts";

/**
 * The permissions for an operation's authorization: on the credential, the record of its use, the association and the
 * restoration if the path names a CRB, the rate limit if the operation has one, and the links of an invited user who makes a change.
 */
export function accessChecks({ routes, rateLimit }: Pick<Operation, "routes" | "rateLimit">): PermissionSet[] {
  const hasCredential = routes.some(({ caller }) => caller !== "invitedUser" && caller !== "nobody");
  const use = hasCredential ? (["credentialUse:record"] as const) : [];
  // The token exchange has its own permission set for reading the credential.
  if (routes.every(({ caller }) => caller === "anyone" || caller === "nobody")) return [...use];
  const associated = routes.some(({ caller, path }) => caller === "serviceProvider" && path.includes("{crb_id}"));
  const concernsCrb = routes.some(({ caller, path }) => caller === "invitedUser" || path.includes("{crb_id}"));
  const endsLinks = routes.some(({ caller, method }) => caller === "invitedUser" && method !== "GET");
  return [
    "credentials:check",
    ...(endsLinks ? (["invitationTokens:end"] as const) : []),
    ...use,
    ...(associated ? (["associations:check"] as const) : []),
    ...(concernsCrb ? (["restoration:check"] as const) : []),
    ...(rateLimit ? (["allowance:use"] as const) : []),
  ];
}
