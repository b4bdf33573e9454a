import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { endOlderTokens, newInvitationToken, proveInvitationToken } from "../../../shared/auth/invitationTokens.ts";
import { createSecret, digestOf, secretInHeader } from "../../../shared/auth/secrets.ts";
import { invitationTokenKey } from "../../../shared/store/keys/invitations.ts";
import { useTestTable } from "../../useTestTable.ts";
import { TestClock } from "../store/orderedList/listUnderTest.ts";

const table = useTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");
const dayMs = 86_400_000;

function createInvitation() {
  const [invitationId, crbId, spId] = [randomUUID(), randomUUID(), randomUUID()];
  const prepare = (daysAgo = 0) =>
    newInvitationToken(table(), { invitationId, crbId, spId }, new Date(Date.now() - daysAgo * dayMs));
  const issue = async (daysAgo?: number) => {
    const { token, write } = await prepare(daysAgo);
    await table().transact([write]);
    return token;
  };
  const prove = async (token: string) =>
    proveInvitationToken(await table().get(invitationTokenKey(invitationId)), secretInHeader(token));
  const valid = async (tokens: readonly string[]) => {
    const proofs = await Promise.allSettled(tokens.map(prove));
    return proofs.map(({ status }) => status === "fulfilled");
  };
  return { invitationId, crbId, spId, prepare, issue, prove, valid };
}

test("a token proves the invited user of its CRB, who has no scope", async () => {
  const { invitationId, crbId, spId, issue, prove } = createInvitation();
  expect(await prove(await issue())).toEqual({
    clientId: invitationId,
    owner: { kind: "invitedUser", id: crbId },
    spId,
    scopes: [],
  });
});

test("the oldest token and the 199 newest ones are valid", async () => {
  const { invitationId, issue, valid, prove } = createInvitation();
  const tokens = [await issue()];
  const key = invitationTokenKey(invitationId);
  const { expires } = (await table().get(key)) ?? expect.fail();
  for (let made = 1; made < 200; made++) tokens.push(createSecret("iv", invitationId));
  await table().update(key, { tokens: tokens.map((token) => ({ digest: digestOf(token), expires })) });
  tokens.push(await issue());
  expect(await valid(tokens)).toEqual([true, false, ...Array(199).fill(true)]);
  expect((await prove(tokens[0] ?? "")).hasEarlierLinks).toBeUndefined();
  expect((await prove(tokens[2] ?? "")).hasEarlierLinks).toBe(true);
});

test("a token ends all older ones, and no newer one", async () => {
  const { issue, valid } = createInvitation();
  const tokens = [await issue(), await issue(), await issue()] as const;
  await endOlderTokens(table(), secretInHeader(tokens[0]), clock);
  expect(await valid(tokens)).toEqual([true, true, true]);
  await endOlderTokens(table(), secretInHeader(tokens[1]), clock);
  expect(await valid(tokens)).toEqual([false, true, true]);
  // A mail that is delivered late does not end newer tokens.
  await endOlderTokens(table(), secretInHeader(tokens[0]), clock);
  expect(await valid(tokens)).toEqual([false, true, true]);
});

test("an expired token is invalid, and the next token does not keep it", async () => {
  const { invitationId, issue, valid } = createInvitation();
  const expired = await issue(31);
  expect(await valid([expired])).toEqual([false]);
  const next = await issue();
  expect(await valid([expired, next])).toEqual([false, true]);
  expect((await table().get(invitationTokenKey(invitationId)))?.tokens).toHaveLength(1);
});

test("DynamoDB keeps an old token and a new one until the new one expires", async () => {
  const { invitationId, issue, valid } = createInvitation();
  const tokens = [await issue(29), await issue()];
  expect(await valid(tokens)).toEqual([true, true]);
  const { expires } = (await table().get(invitationTokenKey(invitationId))) as unknown as { expires: number };
  expect(expires).toBeGreaterThan((Date.now() + 29 * dayMs) / 1_000);
});

test("a token that another process has overtaken is not stored", async () => {
  const { issue, prepare, valid } = createInvitation();
  const first = await Promise.all([prepare(), prepare()]);
  await table().transact([first[0].write]);
  await expect(table().transact([first[1].write])).rejects.toThrow();
  const overtaken = await prepare();
  const stored = await issue();
  await expect(table().transact([overtaken.write])).rejects.toThrow();
  expect(await valid([first[0].token, first[1].token, overtaken.token, stored])).toEqual([true, false, false, true]);
});

test("ending the older tokens of an unknown invitation creates nothing", async () => {
  const { invitationId, prepare } = createInvitation();
  await endOlderTokens(table(), secretInHeader((await prepare()).token), clock);
  expect(await table().get(invitationTokenKey(invitationId))).toBeUndefined();
});
