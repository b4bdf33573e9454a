import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordCredentialUse } from "../../../shared/auth/credentialUse.ts";
import { credentialUseKey } from "../../../shared/store/keys/credentials.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls, TestClock } from "../store/orderedList/listUnderTest.ts";

const table = useTestTable();

const lastUsed = async (clientId: string) => (await table().get(credentialUseKey(clientId)))?.last_used;

test("a process writes once per credential and UTC day, however many requests it handles", async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const watched = testTableOf(table());
  let writes = 0;
  interceptCalls(watched).before = () => {
    writes++;
  };
  const day = new TestClock("2026-03-01T12:00:00.000Z");
  await Promise.all(Array.from({ length: 50 }, () => recordCredentialUse(watched, one, day)));
  await recordCredentialUse(watched, other, day);
  expect([writes, await lastUsed(one), await lastUsed(other)]).toEqual([2, "2026-03-01", "2026-03-01"]);
  await recordCredentialUse(watched, one, new TestClock("2026-03-02T00:00:00.000Z"));
  expect([writes, await lastUsed(one), await lastUsed(other)]).toEqual([3, "2026-03-02", "2026-03-01"]);
});

test("a process with a slow clock does not set the day back", async () => {
  const clientId = randomUUID();
  await recordCredentialUse(table(), clientId, new TestClock("2026-03-02T00:00:00.000Z"));
  await recordCredentialUse(table(), clientId, new TestClock("2026-03-01T23:59:59.000Z"));
  expect(await lastUsed(clientId)).toBe("2026-03-02");
});

test("a failure does not reach the caller, and the next request tries again", async () => {
  const clientId = randomUUID();
  const failing = testTableOf(table());
  const calls = interceptCalls(failing);
  calls.before = () => {
    throw new Error("out of reach");
  };
  const clock = new TestClock("2026-03-03T12:00:00.000Z");
  await recordCredentialUse(failing, clientId, clock);
  expect(await lastUsed(clientId)).toBeUndefined();
  await recordCredentialUse(table(), clientId, clock);
  expect(await lastUsed(clientId)).toBe("2026-03-03");
});
