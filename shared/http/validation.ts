import * as z from "zod";
import { collectInvalidFields, type InputLocation } from "../api/collectInvalidFields.ts";
import type { Fields } from "../api/errors.ts";
import { messageOf, parameterMessageOf } from "../api/messages.ts";
import type { Operation, Route } from "../api/operation.ts";
import { headerSchema, nothing, type Received } from "./received.ts";
import { describeUnknownParameter } from "./unknownParameter.ts";

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
export function validate(operation: Operation, route: Route, received: Received): Validated {
  const parseParameters = (schema: z.ZodType, place: InputLocation) =>
    parse(schema, place, received[place], operation, parameterMessageOf);
  const path = parseParameters(operation.path ?? nothing, "path");
  const query = parseParameters(route.query ?? operation.query, "query");
  const body = parseBody(operation, received);
  const headers = parse(headerSchema(operation, route), "header", received.header, operation);
  return path.fields || query.fields || headers.fields || body.fields
    ? { fields: { ...path.fields, ...query.fields, ...headers.fields, ...body.fields } }
    : { path: path.value as object, query: query.value, headers: headers.value, body: body.value };
}

/** Parses the body. The failure for an unreadable body does not repeat the body, because it may contain any text. */
function parseBody(operation: Operation, { body, unreadable, isForm }: Received): Outcome {
  if (unreadable !== undefined) return { fields: { body: { message: unreadable } } };
  if (operation.form && isForm) return parse(operation.form.schema, "body", body ?? {}, operation, parameterMessageOf);
  return parse(operation.body ?? noBody, "body", body, operation);
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
