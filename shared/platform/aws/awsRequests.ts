/**
 * The `requestHandler` option of AWS clients, with timeouts, so that a call without a response does not use up a
 * function's time. Without `throwOnRequestTimeout`, the SDK only logs a slow request.
 *
 * @param requestTimeout milliseconds to wait for a response
 */
export function awsRequests(requestTimeout = 5_000) {
  return { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true };
}
