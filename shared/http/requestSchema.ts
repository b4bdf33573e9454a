import { notFound } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { lowerCase, malformedIds, type PathIds, pickIds } from "../api/path.ts";
import type { RequestContext } from "./requestContext.ts";
import { validate } from "./validation.ts";

/** A check for `@middy/validator`: returns true, or false with the failures in `errors`. */
interface Check {
  (call: RequestContext): boolean;
  errors?: unknown;
}

/**
 * Creates the check of an operation's requests. The check also adds the typed input to the request. The check rejects a
 * malformed id with "notFound", because no record can have such an id. On routes where a malformed id is a 422, access
 * control has already rejected the request (docs/spec.md#order-of-checks, docs/spec.md#path-parameters).
 */
export function requestSchema(operation: Operation): Check {
  const check: Check = (call) => {
    const validated = validate(operation, call.route, call.received);
    if (validated.fields || call.further) {
      check.errors = { ...call.further, ...validated.fields };
      return false;
    }
    const ids = pickIds(operation, call.pathParameters as PathIds | null);
    if (malformedIds(ids)) throw notFound();
    if (!call.isDecided) throw new Error("access was not checked");
    const { principal } = call;
    const granted = principal?.owner.kind === "invitedUser" && { sp_id: principal.spId, crb_id: principal.owner.id };
    call.input = {
      path: { ...lowerCase(ids), ...granted, ...validated.path },
      query: validated.query,
      headers: validated.headers,
      body: validated.body,
      asForm: call.received.isForm,
      principal,
    };
    return true;
  };
  return check;
}
