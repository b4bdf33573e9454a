import { onTestFinished, vi } from "vitest";

/**
 * Loads modules from now on with a short timeout for AWS requests, for this test.
 *
 * @param requestTimeout milliseconds
 * @param hasRetries whether clients repeat requests as often as they do by default; otherwise they make a single attempt
 */
export function impatientRequests({ hasRetries = false, requestTimeout = 50 } = {}): void {
  vi.resetModules();
  if (!hasRetries) vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
  vi.doMock(import("../../../../shared/platform/aws/awsRequests.ts"), () => ({
    awsRequests: () => ({ connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true }),
  }));
  onTestFinished(() => {
    vi.doUnmock("../../../../shared/platform/aws/awsRequests.ts");
    vi.resetModules();
    vi.stubEnv("AWS_MAX_ATTEMPTS", undefined);
  });
}
