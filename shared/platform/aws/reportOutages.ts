import { ServiceError } from "../../api/errors.ts";

/** Error names of temporary failures of DynamoDB, S3, STS and the connection to them. From their developer guides. */
const outageNames = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "Throttling",
  "InternalServerError",
  "ServiceUnavailableException",
  "ServiceUnavailable",
  "TransactionInProgressException",
  "TimeoutError",
  "InternalError",
  "SlowDown",
]);

const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EPIPE", "ETIMEDOUT"]);

/** The part of SDK clients that is used here; the types of their commands do not matter. */
interface Client {
  middlewareStack: { add(middleware: never, options: never): void };
}

/** Makes a client throw ServiceError "unavailable" (docs/spec.md#errors: 503) for outages that outlast its retries. */
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
