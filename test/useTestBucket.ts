import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { serviceBucket } from "../shared/domain/documents/bucket.ts";
import { startBucket } from "./startBucket.ts";

/** The outside view of a test file's bucket. */
export interface TestBucket {
  /** Number of objects. */
  count(): number;
  /** The time at which the bucket checks links; the real one when undefined. */
  now: Date | undefined;
}

/**
 * Makes a bucket for this test file, which its handlers and workers then use.
 *
 * @param more.versioned keeps replaced and removed versions, like the bucket on AWS
 */
export function useTestBucket(more: { versioned?: boolean } = {}): TestBucket {
  const directory = mkdtempSync(join(tmpdir(), "bucket-test-"));
  const bucket: TestBucket = { count: () => readdirSync(directory).length, now: undefined };
  let server: Server;
  beforeAll(async () => {
    server = await startBucket(directory, { now: () => bucket.now ?? new Date(), ...more });
  });
  afterAll(() => {
    serviceBucket().client.destroy();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return bucket;
}
