import { engineAccess } from "../../../../infra/local/environment.ts";
import { bucketOf, serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import type { LicenseStores } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";

/** Stores of licenses for a test file. ¶ @returns a function that empties the bucket and creates a table */
export function useLicenseStores(): () => Promise<LicenseStores> {
  useTestTable();
  useTestBucket();
  return async () => {
    const bucket = serviceBucket();
    for (const { key } of await bucket.list("")) await bucket.remove(key);
    return { table: await createTestTable(), bucket };
  };
}

/** Hooks before and after each call of a store, with the name of the command. */
interface Calls {
  before?(command: string, input: Record<string, unknown>): unknown;
  after?(command: string): unknown;
}

/** The same stores with new clients, and hooks around each of their calls. */
export function storesWith(calls: Calls, { table, bucket }: LicenseStores): LicenseStores {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? "";
  const hooked = { table: testTableOf(table), bucket: bucketOf(bucket.name, { endpoint, ...engineAccess }) };
  for (const { middlewareStack } of [hooked.table.client, hooked.bucket.client]) {
    const middleware = (next: (request: object) => unknown, { commandName }: { commandName: string }) => {
      return async (request: { input: Record<string, unknown> }) => {
        await calls.before?.(commandName, request.input);
        const response = await next(request);
        await calls.after?.(commandName);
        return response;
      };
    };
    const stack = middlewareStack as { add(middleware: unknown, options: object): void };
    stack.add(middleware, { step: "initialize", priority: "high" });
  }
  return hooked;
}
