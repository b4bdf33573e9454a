import { engineAccess } from "../../../../infra/local/environment.ts";
import { bucketOf, serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import type { LicenseStores } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";

/**
 * Where licenses are kept, for a test file.
 *
 * @returns makes a table, and empties the bucket
 */
export function useLicenseStores(): () => Promise<LicenseStores> {
  useTestTable();
  useTestBucket();
  return async () => {
    const bucket = serviceBucket();
    for (const { key } of await bucket.list("")) await bucket.remove(key);
    return { table: await createTestTable(), bucket };
  };
}

/** What is done before and after each call of a store, which the command names. */
interface Calls {
  before?(command: string, input: Record<string, unknown>): unknown;
  after?(command: string): unknown;
}

/** The same stores by clients of their own, with hooks around each of their calls. */
export function storesWith(calls: Calls, { table, bucket }: LicenseStores): LicenseStores {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? "";
  const hooked = { table: testTableOf(table), bucket: bucketOf(bucket.name, { endpoint, ...engineAccess }) };
  for (const { middlewareStack } of [hooked.table.client, hooked.bucket.client]) {
    const middleware = (next: (request: object) => unknown, { commandName }: { commandName: string }) => {
      return async (request: { input: Record<string, unknown> }) => {
        await calls.before?.(commandName, request.input);
        const answer = await next(request);
        await calls.after?.(commandName);
        return answer;
      };
    };
    const stack = middlewareStack as { add(middleware: unknown, options: object): void };
    stack.add(middleware, { step: "initialize", priority: "high" });
  }
  return hooked;
}
