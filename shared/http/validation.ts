import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { collectInvalidFields, type InputLocation } from "../api/collectInvalidFields.ts";
import type { Fields } from "../api/errors.ts";
import { messageOf, parameterMessageOf } from "../api/messages.ts";
import type { Operation, Route } from "../api/operation.ts";
import { takesBody } from "../api/operation.ts";
import { formatOf, type Routed, readBody } from "./body.ts";
import { headersOf } from "./headers.ts";
import { describeUnknownParameter } from "./unknownParameter.ts";

const nothing = z.object({});
/**
 * The headers of a `POST` that cannot recognize a repetition. A caller that sends a key relies on it, so the key must not be
 * ignored (docs/spec.md#idempotency).
 */
const withoutRepetition = z.object({
  "idempotency-key": z.never({ error: "is not supported by this operation, so a repetition may act twice" }).optional(),
});
/** The body of an operation that defines no body: absent or an empty object (docs/spec.md#transport). */
const noBody = z.strictObject({}).optional();

type Outcome = { value: unknown; fields?: never } | { fields: Fields };

/**
 * The typed path parameters (without ids), query, headers and body of a request, or all failures of these inputs
 * (docs/spec.md#order-of-checks).
 */
export type Validated =
  | { path: object; query: unknown; headers: unknown; body: unknown; fields?: never }
  | { fields: Fields };

/** Validates a request's path (without ids), query, headers and body against an operation's schemas. */
export function validate(operation: Operation, event: Routed): Validated {
  const path = parse(operation.path ?? nothing, "path", event.pathParameters ?? {}, operation, parameterMessageOf);
  const query = parse(event.route.query ?? operation.query, "query", queryOf(event), operation, parameterMessageOf);
  const body = takesBody(event.route) ? parseBody(event, operation) : { value: undefined };
  const headers = parse(headerSchema(operation, event.route), "header", receivedHeaders(operation, event), operation);
  return path.fields || query.fields || headers.fields || body.fields
    ? { fields: { ...path.fields, ...query.fields, ...headers.fields, ...body.fields } }
    : { path: path.value as object, query: query.value, headers: headers.value, body: body.value };
}

/** Parses the body. The failure for an unreadable body does not repeat the body, because it may contain any text. */
function parseBody(event: Routed, operation: Operation): Outcome {
  const body = readBody(operation, event);
  if (!("value" in body)) return { fields: { body: { message: body.unreadable } } };
  if (operation.form && formatOf(operation, event) === "form")
    return parse(operation.form.schema, "body", body.value ?? {}, operation, parameterMessageOf);
  return parse(operation.body ?? noBody, "body", body.value, operation);
}

function parse(
  schema: z.ZodType,
  place: InputLocation,
  received: unknown,
  { secrets = [] }: Operation,
  message: typeof messageOf = messageOf,
): Outcome {
  const { success, data, error } = schema.safeParse(received, { error: message });
  if (success) return { value: data };
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unlistedMessage = (name: string) => describeUnknownParameter(name, known);
  const options = { secrets, ...(place === "query" && { unlistedMessage }) };
  return { fields: collectInvalidFields(error.issues, place, received, options) };
}

/** All inputs that an operation reads, as received, by location. */
export function collectInputs(operation: Operation, event: Routed): Record<InputLocation, unknown> {
  const body = readBody(operation, event);
  return {
    path: event.pathParameters ?? {},
    query: queryOf(event),
    header: receivedHeaders(operation, event),
    body: "value" in body ? body.value : undefined,
  };
}

const headerSchema = ({ headers }: Operation, { method }: Route): z.ZodObject =>
  headers ?? (method === "POST" ? withoutRepetition : nothing);

/** The headers that an operation reads, by lower-case name. */
const receivedHeaders = (operation: Operation, event: Routed) =>
  headersOf(event, Object.keys(headerSchema(operation, event.route).shape));

/** The query parameters by name: the value, or a list of all values if the parameter is repeated. */
const queryOf = (event: APIGatewayProxyEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values]) => [
      name,
      values?.length === 1 ? values[0] : values,
    ]),
  );
