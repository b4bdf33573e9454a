import type { ZodOpenApiOperationObject } from "zod-openapi";
import { contentTypes, type Operation, type RequestExample, type Route } from "../operation.ts";
import { headerParameters, pathParameters, queryParameters } from "./parameters.ts";
import { responses } from "./responses.ts";

/** What the description says of one door to an operation. */
export function operationObject(operation: Operation, route: Route): ZodOpenApiOperationObject {
  const { body, form, requests = {}, tag } = operation;
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary ?? operation.summary,
    description: [operation.description, callerOf(route)].filter(Boolean).join("\n\n"),
    security: route.scope ? [{ access_auth: [route.scope] }] : [{}, { access_auth: [] }],
    requestParams: {
      path: pathParameters(operation, route),
      query: queryParameters(route.query ?? operation.query, Object.values(requests)[0]?.query),
      header: headerParameters(operation, route),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: {
          [contentTypes.json]: { schema: body, examples: examplesOf(requests) },
          ...(form && { [contentTypes.form]: { schema: form.schema, examples: examplesOf(form.requests) } }),
        },
      },
    }),
    responses: responses(operation, route),
  };
}

const examplesOf = (requests: Readonly<Record<string, RequestExample>>) =>
  Object.fromEntries(Object.entries(requests).map(([name, { summary, body: value }]) => [name, { summary, value }]));

const callers = { serviceProvider: "a service provider", crb: "a CRB" };

function callerOf({ caller, scope }: Route): string {
  if (caller === "anyone") return "Whoever has a credential may ask for a token; no scope is needed.";
  return `For a credential of ${callers[caller]} with the scope \`${scope}\`.`;
}
