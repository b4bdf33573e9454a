import { errorCodes } from "../../shared/api/errorCodes.ts";
import { type ErrorKind, errorKinds } from "../../shared/api/errors.ts";

const names: Readonly<Record<ErrorKind, string>> = {
  unauthorized: "UnauthorizedError",
  forbidden: "ForbiddenError",
  notFound: "NotFoundError",
  conflict: "ConflictError",
  tooLarge: "PayloadTooLargeError",
  invalid: "ValidationError",
  throttled: "RateLimitError",
  internal: "InternalServerError",
  unavailable: "ServiceUnavailableError",
};

/** The files that the classes depend on, from the project's root. */
export const errorInputs = ["shared/api/errorCodes.ts", "shared/api/errors.ts", "infra/codegen/errorClasses.ts"];

/** The clients' error classes: one for each kind of failure, which has a status of its own. */
export const errorClasses = (Object.keys(errorKinds) as ErrorKind[]).map((kind) => ({
  className: names[kind],
  status: errorKinds[kind].status,
  summary: `${errorKinds[kind].status} ${errorKinds[kind].name}. Known values of \`code\`: ${errorCodes[kind].join(", ")}.`,
}));
