import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { bucketName, engineAccess } from "../infra/local/environment.ts";
import { createObjectStore } from "../infra/local/objectStore/objectStore.ts";
import { serviceBucket } from "../shared/domain/documents/bucket.ts";

/** The outside view of a test file's bucket. */
export interface TestBucket {
  /** Number of objects. */
  count(): number;
  /** The time at which the bucket checks links; the real one when undefined. */
  now: Date | undefined;
}

/**
 * Makes a bucket for this test file, which its handlers then use. Call it after `useTestTable`.
 *
 * @param more.versioned keeps replaced and removed versions, like the bucket on AWS
 */
export function useTestBucket(more: { versioned?: boolean } = {}): TestBucket {
  const directory = mkdtempSync(join(tmpdir(), "bucket-test-"));
  const bucket: TestBucket = { count: () => readdirSync(directory).length, now: undefined };
  let server: Server;
  beforeAll(async () => {
    const options = {
      bucket: bucketName,
      directory,
      access: engineAccess,
      now: () => bucket.now ?? new Date(),
      ...more,
    };
    server = createObjectStore(options);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, { DOCUMENTS_BUCKET: bucketName, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` });
  });
  afterAll(() => {
    serviceBucket().client.destroy();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return bucket;
}
