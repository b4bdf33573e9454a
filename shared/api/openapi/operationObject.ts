import * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import {
  contentTypes,
  type Deprecation,
  leastRole,
  type Operation,
  type RequestExample,
  type Route,
  requiredScopes,
} from "../operation.ts";
import { adaptTextToCaller } from "./adaptTextToCaller.ts";
import { headerParameters, pathParameters, queryParameters } from "./parameters.ts";
import { responses } from "./responses.ts";

export function operationObject(operation: Operation, route: Route): ZodOpenApiOperationObject {
  const { body, form, requests = {}, deprecated } = operation;
  return {
    operationId: route.operationId,
    tags: [route.tag ?? operation.tag],
    summary: route.summary ?? operation.summary,
    description: [
      deprecated && describeDeprecation(deprecated),
      adaptTextToCaller(operation.description ?? "", route),
      callerOf(route),
    ]
      .filter(Boolean)
      .join("\n\n"),
    ...(deprecated && { deprecated: true }),
    security: securityOf(route),
    requestParams: {
      path: pathParameters(operation, route),
      query: queryParameters(route.query ?? operation.query, Object.values(requests)[0]?.query),
      header: headerParameters(operation, route),
    },
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: {
          [contentTypes.json]: { schema: requiredBody(body), examples: examplesOf(requests) },
          ...(form && formContent(form)),
        },
      },
    }),
    responses: responses(operation, route),
  };
}

function describeDeprecation({ since, sunset, replacement }: Deprecation): string {
  const until = sunset ? `It works until ${sunset}.` : "It still works; the day of its removal is not known yet.";
  const instead = replacement ? ` Use \`${replacement}\` instead.` : "";
  return `**Deprecated** since ${since}.${instead} ${until} Its responses have the header \`Deprecation\`${sunset ? " and `Sunset`" : ""}.`;
}

/**
 * A form, with and without the charset that some HTTP clients send. OpenAPI Generator needs both: for
 * `application/x-www-form-urlencoded` alone it writes no class for the schema, but its Java clients import that
 * class.
 */
const formContent = ({ schema, requests }: NonNullable<Operation["form"]>) => ({
  [contentTypes.form]: { schema, examples: examplesOf(requests) },
  [`${contentTypes.form}; charset=utf-8`]: { schema },
});

/** The schema of a body that was sent, even if the body is optional. */
export const requiredBody = (body: z.ZodType): z.ZodType =>
  body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;

const examplesOf = (requests: Readonly<Record<string, RequestExample>>) =>
  Object.fromEntries(Object.entries(requests).map(([name, { summary, body: value }]) => [name, { summary, value }]));

function securityOf(route: Route) {
  if (route.caller === "nobody") return [];
  if (route.caller === "anyone") return [{}, { access_auth: [] }];
  const scopes = requiredScopes(route);
  // Invitation tokens do not come from an OAuth flow.
  return [{ access_auth: scopes }, ...(route.caller === "invitedUser" ? [] : [{ oauth2: scopes }])];
}

const callers = { serviceProvider: "a service provider", crb: "a CRB" };

function callerOf(route: Route): string {
  const { caller } = route;
  if (caller === "nobody") return "No credential is needed.";
  if (caller === "invitedUser") return "Requires the invitation token of an invited user, which names the CRB.";
  if (caller === "anyone") return "Accepts every credential; no scope is needed.";
  const scopes = requiredScopes(route).map((scope) => `\`${scope}\``);
  const ofPersons = caller === "serviceProvider" ? ` ${roleOf(route)}` : "";
  return `Requires a credential of ${callers[caller]} with the ${scopes.length > 1 ? "scopes" : "scope"} ${scopes.join(" and ")}.${ofPersons}`;
}

const personsWithCustomers = {
  always: ", and the setting `customers` of the identity provider",
  byKind: ", and for customers the setting `customers` of the identity provider",
};

const roleOf = (route: Route) =>
  `Persons need the role \`${leastRole(route)}\`${route.holdsCustomers ? personsWithCustomers[route.holdsCustomers] : ""}.`;
