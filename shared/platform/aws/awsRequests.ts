/**
 * How long clients of AWS wait, for their `requestHandler`: a call that hangs must not hold a function until its own
 * time is over. Without the last setting the SDK only logs that a request takes too long.
 *
 * @param requestTimeout milliseconds that an answer may take
 */
export function awsRequests(requestTimeout = 5_000) {
  return { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true };
}
