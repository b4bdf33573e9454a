import { ServiceError } from "../../api/errors.ts";

/**
 * Error names of temporary failures of DynamoDB, S3, SQS and STS, and of the connection to them, according to the AWS
 * developer guides.
 */
const outageNames = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "ThrottlingException",
  "Throttling",
  "InternalServerError",
  "ServiceUnavailableException",
  "ServiceUnavailable",
  "TransactionInProgressException",
  "TimeoutError",
  "InternalError",
  "InternalFailure",
  "SlowDown",
]);

const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EPIPE", "ETIMEDOUT"]);

/** The part of an SDK client that `reportOutages` uses. It is the same for the clients of all AWS services. */
interface Client {
  middlewareStack: { add(middleware: never, options: never): void };
}

/**
 * Makes a client throw ServiceError "unavailable" (docs/spec.md#errors: 503) for an outage that lasts longer than the
 * client's retries.
 */
export function reportOutages(client: Client): void {
  const middleware = (next: (request: unknown) => Promise<unknown>) => async (request: unknown) => {
    try {
      return await next(request);
    } catch (error) {
      throw isOutage(error) ? new ServiceError("unavailable", { cause: error }) : error;
    }
  };
  client.middlewareStack.add(
    middleware as never,
    { step: "initialize", name: "reportOutages", override: true } as never,
  );
}

function isOutage(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return outageNames.has(name ?? "") || connectionCodes.has(code ?? "");
}
