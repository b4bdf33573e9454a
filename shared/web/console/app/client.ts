import type { Call } from "../../browser/api.ts";
import { type Input, type OperationId, type Output, operations } from "./operations.ts";

/** Calls operations of the API for the person who is signed in. */
export type Client = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Output<Id>>;

/** Creates a client. @param spId the service provider of the session; empty before the sign-in */
export const clientOf =
  (call: Call, spId: string): Client =>
  (id, { path, query, body, idempotencyKey }) => {
    const [method, template] = operations[id];
    const values: Record<string, string> = { ...path, sp_id: spId };
    const filled = template.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
    const sent = Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = sent.length > 0 ? `?${new URLSearchParams(sent)}` : "";
    return call(
      method,
      filled + search,
      body as object | undefined,
      idempotencyKey === undefined ? undefined : { "Idempotency-Key": idempotencyKey },
    );
  };
