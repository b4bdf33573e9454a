import type { components } from "./openApi.d.ts";

type ErrorRecord = components["schemas"]["Error"] & Partial<components["schemas"]["ValidationError"]>;

/** A refusal or failure that the API answered. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly record: ErrorRecord;

  constructor(record: ErrorRecord) {
    super(`${record.status} ${record.name}: ${record.message}`);
    this.record = record;
  }
}

/**
 * What a call answered.
 *
 * @throws ApiError when it was refused or failed
 */
export function answerOf<Data>(result: { data?: Data; error?: unknown; response: Response }): Data {
  if (!result.response.ok) throw new ApiError(result.error as ErrorRecord);
  return result.data as Data;
}
