import { Logger } from "@aws-lambda-powertools/logger";
import { logServiceName } from "./metricSeries.ts";

/** The service's log. It must not contain records, secrets, query values, headers or received values. */
export const log = new Logger({ serviceName: logServiceName });

/**
 * The loggable parts of an unexpected error: name, code and stack frames of the error and its causes. The message is
 * omitted, because it may contain received values.
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
