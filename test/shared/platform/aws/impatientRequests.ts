import { onTestFinished, vi } from "vitest";

/** Loads modules from now on with a short timeout and a single attempt for AWS requests, for this test. */
export function impatientRequests(): void {
  vi.resetModules();
  vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
  vi.doMock(import("../../../../shared/platform/aws/awsRequests.ts"), () => ({
    awsRequests: () => ({ connectionTimeout: 1_000, requestTimeout: 50, throwOnRequestTimeout: true }),
  }));
  onTestFinished(() => {
    vi.doUnmock("../../../../shared/platform/aws/awsRequests.ts");
    vi.resetModules();
    vi.stubEnv("AWS_MAX_ATTEMPTS", undefined);
  });
}
