import { onTestFinished, vi } from "vitest";

/** Has modules that this test imports from now on wait for AWS no longer than a moment, and ask once. */
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
