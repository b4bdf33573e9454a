import type { components } from "../../clients/typescript/openApi.ts";

type ErrorRecord = components["schemas"]["Error"] & Partial<components["schemas"]["ValidationError"]>;

/** An error response of the API. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly record: ErrorRecord;

  constructor(record: ErrorRecord) {
    super(`${record.status} ${record.name}: ${record.message}`);
    this.record = record;
  }
}

/**
 * Returns the data of a response.
 * @throws ApiError for an error response
 */
export function answerOf<Data>(result: { data?: Data; error?: unknown; response: Response }): Data {
  if (!result.response.ok) throw new ApiError(result.error as ErrorRecord);
  return result.data as Data;
}
