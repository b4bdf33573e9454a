import { Logger } from "@aws-lambda-powertools/logger";

/** The service's log. No record, secret, query value, header or received value may go into it. */
export const log = new Logger({ serviceName: "business-data-access" });

/**
 * What may be logged of an unexpected error: name, code and stack frames, for it and its causes. Never its message,
 * which may hold values.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    code: (error as { code?: unknown }).code,
    stack: frames,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
