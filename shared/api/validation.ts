import type { APIGatewayProxyEvent } from "aws-lambda";
import type * as z from "zod";
import { readBody } from "./body.ts";
import type { Fields } from "./errors.ts";
import { fieldsOf } from "./fields.ts";
import { messageOf, queryMessageOf } from "./messages.ts";
import type { Operation, Route } from "./operation.ts";

type Outcome = { value: unknown; fields?: never } | { fields: Fields };

/** A request's query and body, typed; or all that fails in them, together (contract 2.3). */
export type Validated = { query: unknown; body: unknown; fields?: never } | { fields: Fields };

/**
 * Holds a request's query and body against an operation's schemas.
 *
 * @param event the request, with the door it came through
 */
export function validate(operation: Operation, event: APIGatewayProxyEvent & { route: Route }): Validated {
  const query = parse(event.route.query ?? operation.query, "query", queryOf(event), operation);
  const body = operation.body ? parseBody(operation.body, event, operation) : { value: undefined };
  return query.fields || body.fields
    ? { fields: { ...query.fields, ...body.fields } }
    : { query: query.value, body: body.value };
}

function parseBody(schema: z.ZodType, event: APIGatewayProxyEvent, operation: Operation): Outcome {
  const body = readBody(event);
  if ("value" in body) return parse(schema, "body", body.value, operation);
  const issue = { code: "custom" as const, path: [], message: body.unreadable };
  return { fields: fieldsOf([issue], "body", body.text, operation.secrets) };
}

function parse(schema: z.ZodType, place: "query" | "body", received: unknown, { secrets }: Operation): Outcome {
  const { success, data, error } = schema.safeParse(received, {
    error: place === "query" ? queryMessageOf : messageOf,
  });
  return success ? { value: data } : { fields: fieldsOf(error.issues, place, received, secrets) };
}

/** Query parameters by name: the value, or all values of one that was repeated. */
export const queryOf = (event: APIGatewayProxyEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values]) => [
      name,
      values?.length === 1 ? values[0] : values,
    ]),
  );
