import * as z from "zod";
import type { Operation, RequestExample, Route } from "../operation.ts";
import { isTagged } from "../operation.ts";
import { exampleIds } from "../operations/examples.ts";
import { uuid } from "../schemas/scalars.ts";

/** The meanings of path parameters (docs/spec.md#path-parameters), each with its id in the examples. */
const ids: Record<string, { description: string; example: string }> = {
  sp_id: { description: "The service provider that the credential belongs to", example: exampleIds.serviceProvider },
  crb_id: { description: "The CRB", example: exampleIds.crb },
  customer_id: { description: "The customer", example: exampleIds.customer },
  doc_id: { description: "The document", example: exampleIds.document },
  inventory_id: { description: "The inventory record", example: exampleIds.inventory },
  location_id: { description: "The inventory location", example: exampleIds.salesFloor },
  product_id: { description: "The product", example: exampleIds.product },
  sale_id: { description: "The sale", example: exampleIds.retailSale },
  requirement_id: { description: "The requirement of the onboarding template", example: exampleIds.requirement },
  document_id: { description: "The document of the requirement", example: exampleIds.document },
  client_id: { description: "The credential", example: exampleIds.credential },
  insight_id: { description: "The insight", example: exampleIds.insight },
  report_id: { description: "The access report", example: exampleIds.accessReport },
  statement_id: { description: "The statement", example: exampleIds.statement },
  export_id: { description: "The export", example: exampleIds.export },
  endpoint_id: { description: "The webhook endpoint", example: exampleIds.endpoint },
};

/**
 * A route's path parameters: ids are uuids, except in the CRBs' path family, where they are plain text
 * (docs/spec.md#path-parameters).
 */
export function pathParameters({ path, requests = {} }: Operation, route: Route): z.ZodObject {
  const id = route.caller === "crb" ? z.string() : uuid;
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const shown = names.map((name) => {
    const own: z.ZodType | undefined = path?.shape[name];
    const example = Object.values(requests)[0]?.path?.[name];
    return [name, own ? parameter(own, { example }) : parameter(id, ids[name] ?? {})];
  });
  return z.object(Object.fromEntries(shown));
}

/** A query's parameters, with the values of the example request. */
export function queryParameters({ shape }: z.ZodObject, example: RequestExample["query"] = {}): z.ZodObject {
  const shown = Object.entries(shape).map(([name, schema]: [string, z.ZodType]) => [
    name,
    parameter(schema, name in example ? { example: schema.parse(example[name]) } : {}),
  ]);
  return z.object(Object.fromEntries(shown));
}

/** Moves a schema's description to the parameter, so that the schema does not repeat the description. */
function parameter(schema: z.ZodType, said: { description?: string; example?: unknown }): z.ZodType {
  const { description } = schema.meta() ?? {};
  return schema.meta({ description: undefined, param: { ...(description && { description }), ...said } });
}

const ifNoneMatch = z
  .string()
  .optional()
  .describe("The `ETag` of a response that you have; the response is 304 if nothing has changed since");

/** The request headers that an operation reads, in their usual spelling: `Idempotency-Key`. */
export function headerParameters(operation: Operation, route: Route): z.ZodObject {
  const named = Object.entries(operation.headers?.shape ?? {}).map(([name, schema]) => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    parameter(schema as z.ZodType, {}),
  ]);
  return z.object({
    ...Object.fromEntries(named),
    ...(isTagged(operation, route) && { "If-None-Match": parameter(ifNoneMatch, {}) }),
  });
}
