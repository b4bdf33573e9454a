import type { Context } from "aws-lambda";
import { expect, test, vi } from "vitest";
import { handler } from "../../../functions/exports/sweeper.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { credentialExpiryPartition, credentialNoticeKey } from "../../../shared/store/keys/credentials.ts";
import { exportDuePartition } from "../../../shared/store/keys/exports.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();
useTestBucket();
useQueues();

const sweep = (remaining = 60_000) => handler({}, { getRemainingTimeInMillis: () => remaining } as Context);

/** A service provider with a credential whose expiry is to be announced. */
async function given() {
  const { spId, call } = await givenServiceProvider(table());
  const owner = { kind: "serviceProvider" as const, id: spId };
  const expiresAt = new Date(Date.now() + 5 * 86_400_000);
  const { client_id } = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes, expiresAt });
  await table().put({ ...credentialNoticeKey("2026-01-01T00:00:00.000Z", client_id) });
  return async () =>
    (await call("listEvents")).json.data.filter(({ type }: { type: string }) => type === "credential.expiring").length;
}

test("a sweep that fails stops no other one, and the function fails", async () => {
  const countAnnounced = await given();
  const calls = interceptCalls(table());
  calls.before = (_, input) => {
    const text = JSON.stringify(input);
    if ([exportDuePartition, credentialExpiryPartition].some((pk) => text.includes(pk)))
      throw new Error("not readable");
  };
  const logged = vi.spyOn(log, "error");
  await expect(sweep()).rejects.toThrow("not readable");
  expect(logged.mock.calls.map(([message]) => message)).toContain("a further part failed");
  calls.before = () => undefined;
  expect(await countAnnounced()).toBe(1);
  await sweep();
  expect(await countAnnounced()).toBe(1);
});

test("the function begins nothing shortly before its timeout, and the next run does it", async () => {
  const countAnnounced = await given();
  await sweep(10_000);
  expect(await countAnnounced()).toBe(0);
  await sweep();
  expect(await countAnnounced()).toBe(1);
});
