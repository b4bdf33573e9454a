import { toErrorResponse, unauthorized } from "../api/errors.ts";
import { forOAuthLibrary } from "../api/oauthError.ts";
import type { Operation } from "../api/operation.ts";
import type { HttpResponse } from "./handlerResult.ts";

/** What the mock stage answers to a request of one format, whatever is asked. */
export interface MockResponses {
  /** The operation's example (docs/spec.md#mock-stage); any `Authorization` is taken. */
  success: HttpResponse;
  /** 401 without an `Authorization`, also at the token exchange. */
  rejection: HttpResponse;
}

/** @param format of the request, one that the operation takes */
export function createMockResponses(
  { success, form }: Pick<Operation, "success" | "form">,
  format: "json" | "form",
): MockResponses {
  const example = form && format === "form" ? form.example : success.example;
  const rejection = format === "form" ? forOAuthLibrary(unauthorized(), undefined) : unauthorized();
  return { success: { status: 200, body: JSON.stringify(example) }, rejection: toErrorResponse(rejection) };
}
