import { toErrorResponse, unauthorized } from "../api/errors.ts";
import { forOAuthLibrary } from "../api/oauthError.ts";
import type { Operation } from "../api/operation.ts";
import type { HttpResponse } from "./handlerResult.ts";

/** The responses of the mock stage to any request of one format. */
export interface MockResponses {
  /** The operation's example (docs/spec.md#mock-stage); any `Authorization` is accepted. */
  success: HttpResponse;
  /** 401 without an `Authorization`, also at the token exchange. */
  rejection: HttpResponse;
}

/** @param format of the request; the operation must accept it */
export function createMockResponses(
  { success, form }: Pick<Operation, "success" | "form">,
  format: "json" | "form",
): MockResponses {
  const example = form && format === "form" ? form.example : success.example;
  const rejection = format === "form" ? forOAuthLibrary(unauthorized(), undefined) : unauthorized();
  return { success: { status: 200, body: JSON.stringify(example) }, rejection: toErrorResponse(rejection) };
}
