import { personRoles } from "../../../shared/api/enumerations.ts";
import { leastRole, type Route, requiredScopes } from "../../../shared/api/operation.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { includesRole } from "../../../shared/auth/roles.ts";
import type { FileTexts } from "./committedFiles.ts";

const introduction = `# Operations, scopes and roles

This page is generated from the operation registry. It lists every operation that a service provider's credentials can call.

A program needs the scopes of an operation. A [person](guide/persons.md) also needs one of three roles. The service checks the scope first and
the role after it. A missing scope gets 403 \`scope_missing\`, a missing role 403 \`role_missing\`.

\`✓\` means that the role includes the operation. \`c\` means that it does so only if the identity provider's setting
\`customers\` is true. In \`listCrbChanges\` this concerns the kind \`customers\` only.

`;

const cell = (route: Route, role: (typeof personRoles)[number]): string => {
  if (!includesRole(role, leastRole(route))) return "";
  return route.holdsCustomers ? "c" : "✓";
};

const row = (cells: readonly string[]): string => `|${cells.map((text) => (text ? ` ${text} ` : " ")).join("|")}|`;

/** The content of docs/access.md. */
export function accessMatrixFiles(): FileTexts {
  const routes = operationRegistry.flatMap((operation) => operation.routes);
  const rows = routes
    .filter(({ caller }) => caller === "serviceProvider")
    .map((route) => [
      `\`${route.operationId}\``,
      requiredScopes(route)
        .map((scope) => `\`${scope}\``)
        .join(", "),
      ...personRoles.map((role) => cell(route, role)),
    ]);
  const heads = ["Operation", "Scope", ...personRoles];
  const lines = [row(heads), `|${heads.map((_, i) => (i < 2 ? "---" : ":-:")).join("|")}|`, ...rows.map(row)];
  return new Map([["docs/access.md", `${introduction}${lines.join("\n")}\n`]]);
}
