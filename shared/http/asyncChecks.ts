import type middy from "@middy/core";
import { addReceivedValues } from "../api/collectInvalidFields.ts";
import type { Fields } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { lowerCase, type PathIds, pickIds } from "../api/path.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * A check that the schemas of a request cannot express.
 *
 * @param path the path parameters as received, with ids in lower case
 * @param body the body as received, which may be any JSON value
 * @returns the failing inputs; empty if all inputs are valid
 */
export type AsyncCheck = (path: PathIds, body: unknown) => Promise<Fields>;

/**
 * Runs a check before the validation. The validation then reports the failures of the check and of the schemas together
 * (docs/spec.md#order-of-checks).
 */
export function asyncChecks(operation: Operation, check: AsyncCheck | undefined): middy.MiddlewareObj<RequestContext> {
  return {
    before: async ({ event: call }) => {
      if (!check) return;
      const { received } = call;
      const ids = pickIds(operation, call.pathParameters as PathIds | null);
      const fields = await check({ ...call.pathParameters, ...lowerCase(ids) } as PathIds, received.body);
      if (Object.keys(fields).length > 0) call.further = addReceivedValues(fields, received, operation.secrets);
    },
  };
}
