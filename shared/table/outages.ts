import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";

/** Error names by which DynamoDB (or the way to it) says: not now. Facts from the DynamoDB developer guide. */
const outageNames = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "InternalServerError",
  "ServiceUnavailableException",
  "ServiceUnavailable",
  "TransactionInProgressException",
  "TimeoutError",
]);

const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EPIPE", "ETIMEDOUT"]);

/** Makes a client throw `ServiceError` "unavailable" (contract section 3: 503) for outages that outlast its retries. */
export function reportOutages(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw isOutage(error) ? new ServiceError("unavailable", { cause: error }) : error;
      }
    },
    { step: "initialize", name: "reportOutages", override: true },
  );
}

function isOutage(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return outageNames.has(name ?? "") || connectionCodes.has(code ?? "");
}
