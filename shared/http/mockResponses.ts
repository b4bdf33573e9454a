import { toErrorResponse, unauthorized } from "../api/errors.ts";
import { forOAuthLibrary } from "../api/oauthError.ts";
import type { Operation } from "../api/operation.ts";
import type { HttpResponse } from "./handlerResult.ts";

/** The two possible responses of the mock stage to requests of one format (JSON or form). */
export interface MockResponses {
  /** The operation's example (docs/spec.md#mock-stage); any `Authorization` is accepted. */
  success: HttpResponse;
  /** The 401 for a request without an `Authorization` header, even for the token exchange. */
  rejection: HttpResponse;
}

/** @param format the format of the request; the operation must accept this format */
export function createMockResponses(
  { success, form }: Pick<Operation, "success" | "form">,
  format: "json" | "form",
): MockResponses {
  const example = form && format === "form" ? form.example : success.example;
  const rejection = format === "form" ? forOAuthLibrary(unauthorized(), undefined) : unauthorized();
  return { success: { status: 200, body: JSON.stringify(example) }, rejection: toErrorResponse(rejection) };
}
