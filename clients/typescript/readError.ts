import { ApiError, isObject } from "./apiError.ts";
import { errorClasses } from "./errors.ts";

const notModified = { code: "not_modified", message: "Nothing has changed since the response with this ETag." };

/**
 * Reads the error from a response. Only an error record of the API gets the class of its status: a page of a proxy proves
 * nothing about a record, for instance that it does not exist.
 */
export async function readError(request: Request, response: Response): Promise<ApiError> {
  if (response.status === 304) return new ApiError(request, response, notModified);
  const record: unknown = await response.json().catch(() => undefined);
  if (!isObject(record) || typeof record.code !== "string") return new ApiError(request, response, {});
  return new (errorClasses[response.status] ?? ApiError)(request, response, record);
}
