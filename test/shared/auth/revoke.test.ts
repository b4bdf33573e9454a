import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { issueCredential, listCredentials } from "../../../shared/auth/credentials.ts";
import { listActiveIssuedCredentials, revokeCredential, revokeCredentials } from "../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import type { Table } from "../../../shared/store/client.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import { revoking } from "../../revoking.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "../store/orderedList/listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});
const clock = new TestClock("2026-03-01T12:00:00.000Z");

/** A service provider's key, and pairs that it issues. */
async function givenKey() {
  const spId = randomUUID();
  const owner = { kind: "serviceProvider" as const, id: spId };
  const { client_id: leaked } = await issueCredential(table, { owner, spId, scopes: serviceProviderScopes });
  /** A pair for a CRB of its own, so that none takes another's place. */
  const issue = async (issuedBy: string | undefined, by: Table = table, crbId: string = randomUUID()) => {
    await table.put({ ...associationKey(spId, crbId) });
    return (await issueCrbAccess(by, { spId, crbId, scopes: crbScopes, issuedBy, beforeRevocation: revoking }, clock))
      .client_id;
  };
  /** One that may issue by itself, which a CRB's may not. */
  const issueNext = async (issuedBy: string) =>
    (await issueCredential(table, { owner, spId, scopes: serviceProviderScopes, issuedBy })).client_id;
  const good = async () =>
    (await listCredentials(table, spId))
      .filter(({ revoked_at }) => revoked_at === undefined)
      .map(({ client_id }) => client_id)
      .sort();
  return { spId, owner, leaked, issue, issueNext, good };
}

const idsOf = (credentials: readonly { client_id: string }[]) => credentials.map(({ client_id }) => client_id).sort();

/** A client of the table that is killed before (even) or after (odd) one of its calls, counted in halves. */
function killedAt(victim: number): Table {
  const crashing = testTableOf(table);
  const calls = interceptCalls(crashing);
  let call = 0;
  const kill = () => {
    if (call++ >= Math.floor(victim / 2)) throw new Error("killed");
  };
  if (victim % 2) calls.after = kill;
  else calls.before = kill;
  return crashing;
}

describe("what a credential has issued", () => {
  test("ends with it, directly or by another, and nothing else does", async () => {
    const { spId, leaked, issue, issueNext, good } = await givenKey();
    const own = await issue(leaked);
    const next = await issueNext(leaked);
    const byNext = await issue(next);
    const byOperator = await issue(undefined);
    const other = (await givenKey()).leaked;
    const later = await issueNext(other);
    expect(idsOf(await listActiveIssuedCredentials(table, spId, leaked))).toEqual([own, next, byNext].sort());
    expect(idsOf(await revokeCredential(table, leaked, {}, clock))).toEqual([own, next, byNext].sort());
    expect(await good()).toEqual([byOperator, later].sort());
    expect((await table.get(credentialKey(other)))?.revoked_at).toBeUndefined();
  });

  test("ends too where what lies between was revoked before, whose date stays", async () => {
    const { leaked, issue, issueNext, good } = await givenKey();
    const next = await issueNext(leaked);
    const byNext = await issue(next);
    await revokeCredential(table, next, { keepIssued: true }, new TestClock("2026-02-01T00:00:00.000Z"));
    expect(await good()).toEqual([leaked, byNext].sort());
    expect(idsOf(await revokeCredential(table, leaked, {}, clock))).toEqual([byNext]);
    expect((await table.get(credentialKey(next)))?.revoked_at).toBe("2026-02-01T00:00:00.000Z");
  });

  test("stays where that is wanted, and ends when it is revoked once more", async () => {
    const { leaked, issue, good } = await givenKey();
    const pair = await issue(leaked);
    expect(await revokeCredential(table, leaked, { keepIssued: true }, clock)).toEqual([]);
    expect(await good()).toEqual([pair]);
    expect(idsOf(await revokeCredential(table, leaked, {}, clock))).toEqual([pair]);
    expect(await good()).toEqual([]);
  });

  test("ends however much it is, in transactions that fit, and goes on where it was cut off between them", async () => {
    const { leaked, issueNext, good } = await givenKey();
    for (let i = 0; i < 170; i++) await issueNext(leaked);
    const crashing = testTableOf(table);
    let revoking = 0;
    let dead = false;
    const calls = interceptCalls(crashing);
    calls.before = (_, input) => {
      if (dead) throw new Error("killed");
      if (JSON.stringify(input).includes("SET revoked_at")) revoking++;
    };
    calls.after = () => {
      dead ||= revoking === 2;
      if (dead) throw new Error("killed");
    };
    await expect(revokeCredential(crashing, leaked, {}, clock)).rejects.toThrow("killed");
    expect(await good()).toHaveLength(125);
    expect(await revokeCredential(table, leaked, {}, clock)).toHaveLength(125);
    expect(await good()).toEqual([]);
  });

  test("ends when it is revoked again, wherever it was cut off", async () => {
    for (let victim = 0; victim < 16; victim++) {
      const { leaked, issue, issueNext, good } = await givenKey();
      const next = await issueNext(leaked);
      await issue(leaked);
      await issue(next);
      await revokeCredential(killedAt(victim), leaked, {}, clock).catch(() => undefined);
      await revokeCredential(table, leaked, {}, clock);
      expect(await good()).toEqual([]);
    }
  });
});

describe("a pair that is issued in the instant of the revocation", () => {
  test("is refused or ended, however the two meet", async () => {
    for (let i = 0; i < 20; i++) {
      const { leaked, issue, good } = await givenKey();
      const issued = Array.from({ length: 5 }, () => issue(leaked, testTableOf(table)).catch(() => undefined));
      const revoked = revokeCredential(testTableOf(table), leaked);
      await Promise.all([...issued, revoked]);
      expect(await good()).toEqual([]);
    }
  });

  test("is refused with 401 where the revocation comes between its reads and its transaction", async () => {
    const { spId, leaked, good } = await givenKey();
    const crbId = randomUUID();
    await table.put({ ...associationKey(spId, crbId) });
    const raced = testTableOf(table);
    let overtaken = false;
    interceptCalls(raced).before = async (command) => {
      if (command !== "TransactWriteItemsCommand" || overtaken) return;
      overtaken = true;
      expect(await revokeCredential(table, leaked, {}, clock)).toEqual([]);
    };
    const issuing = issueCrbAccess(
      raced,
      { spId, crbId, scopes: crbScopes, issuedBy: leaked, beforeRevocation: revoking },
      clock,
    );
    await expect(issuing).rejects.toMatchObject({ kind: "unauthorized" });
    expect(overtaken).toBe(true);
    expect(await good()).toEqual([]);
  });

  test("is ended where it comes after the revocation has looked and before it has taken hold", async () => {
    const { leaked, issue, good } = await givenKey();
    const raced = testTableOf(table);
    let late: string | undefined;
    interceptCalls(raced).before = async (command) => {
      if (command === "TransactWriteItemsCommand") late ??= await issue(leaked);
    };
    expect(idsOf(await revokeCredential(raced, leaked, {}, clock))).toEqual([late]);
    expect(await good()).toEqual([]);
  });
});

test("a pair that was revoked takes no place of a good one", async () => {
  const { leaked, issue, good } = await givenKey();
  const crbId = randomUUID();
  const kept = await issue(undefined, table, crbId);
  await issue(leaked, table, crbId);
  await revokeCredential(table, leaked, {}, clock);
  const next = await issue(undefined, table, crbId);
  expect(await good()).toEqual([kept, next].sort());
});

test("an unknown client id changes nothing", async () => {
  expect(await revokeCredential(table, randomUUID())).toEqual([]);
  await revokeCredentials(table, []);
});

test("a credential that does not exist is not made by its revocation", async () => {
  const unknown = randomUUID();
  await revokeCredentials(table, [unknown], clock);
  expect(await table.get(credentialKey(unknown))).toBeUndefined();
});
