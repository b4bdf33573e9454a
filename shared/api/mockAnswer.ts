import type { HttpResponse } from "./answer.ts";
import { errorAnswer, unauthorized } from "./errors.ts";
import type { Operation } from "./operation.ts";

/**
 * What the mock stage answers, whatever is asked: the operation's example (contract 1, "Mock").
 *
 * @param authorization the request's `Authorization`, of which any is taken; 401 without one, also at the token exchange
 */
export const mockAnswer = (operation: Pick<Operation, "success">, authorization: string | undefined): HttpResponse =>
  authorization?.trim()
    ? { status: 200, body: JSON.stringify(operation.success.example) }
    : errorAnswer(unauthorized());
