import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { issueCredential, listCredentials } from "../../../shared/auth/credentials.ts";
import { listActiveIssuedCredentials, revokeCredential, revokeCredentials } from "../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import type { Table } from "../../../shared/store/client.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import { dyingTable } from "../../dyingTable.ts";
import { racedTable } from "../../racedTable.ts";
import { revoking } from "../../revoking.ts";
import { testTableOf } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { useTestTable } from "../../useTestTable.ts";
import { crashStep } from "../store/crashInjection.ts";
import { interceptCalls, TestClock } from "../store/orderedList/listUnderTest.ts";

const table = useTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");

/** A service provider's API key, and functions that issue credentials with it. */
async function createKey() {
  const spId = randomUUID();
  const owner = { kind: "serviceProvider" as const, id: spId };
  const { client_id: leaked } = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes });
  /** Issues a pair for a new CRB, so that it does not replace another pair. */
  const issue = async (issuedBy: string | undefined, by: Table = table(), crbId: string = randomUUID()) => {
    await table().put({ ...associationKey(spId, crbId) });
    return (await issueCrbAccess(by, { spId, crbId, scopes: crbScopes, issuedBy, beforeRevocation: revoking }, clock))
      .client_id;
  };
  /** Issues a service provider's credential. It may issue more; a CRB's may not. */
  const issueNext = async (issuedBy: string) =>
    (await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes, issuedBy })).client_id;
  const activeIds = async () =>
    (await listCredentials(table(), spId))
      .filter(({ revoked_at }) => revoked_at === undefined)
      .map(({ client_id }) => client_id)
      .sort();
  return { spId, leaked, issue, issueNext, activeIds };
}

const idsOf = (credentials: readonly { client_id: string }[]) => credentials.map(({ client_id }) => client_id).sort();

describe("the credentials that a credential has issued", () => {
  test("are revoked with it, directly issued or through another, and no others are", async () => {
    const { spId, leaked, issue, issueNext, activeIds } = await createKey();
    const own = await issue(leaked);
    const next = await issueNext(leaked);
    const byNext = await issue(next);
    const byOperator = await issue(undefined);
    const other = (await createKey()).leaked;
    const later = await issueNext(other);
    expect(idsOf(await listActiveIssuedCredentials(table(), spId, leaked))).toEqual([own, next, byNext].sort());
    expect(idsOf(await revokeCredential(table(), leaked, {}, clock))).toEqual([own, next, byNext].sort());
    expect(await activeIds()).toEqual([byOperator, later].sort());
    expect((await table().get(credentialKey(other)))?.revoked_at).toBeUndefined();
  });

  test("are revoked too if the credential between was revoked earlier, and that one keeps its date", async () => {
    const { leaked, issue, issueNext, activeIds } = await createKey();
    const next = await issueNext(leaked);
    const byNext = await issue(next);
    await revokeCredential(table(), next, { keepIssued: true }, new TestClock("2026-02-01T00:00:00.000Z"));
    expect(await activeIds()).toEqual([leaked, byNext].sort());
    expect(idsOf(await revokeCredential(table(), leaked, {}, clock))).toEqual([byNext]);
    expect((await table().get(credentialKey(next)))?.revoked_at).toBe("2026-02-01T00:00:00.000Z");
  });

  test("stay active if the caller wants that, and are revoked if it is revoked once more", async () => {
    const { leaked, issue, activeIds } = await createKey();
    const pair = await issue(leaked);
    expect(await revokeCredential(table(), leaked, { keepIssued: true }, clock)).toEqual([]);
    expect(await activeIds()).toEqual([pair]);
    expect(idsOf(await revokeCredential(table(), leaked, {}, clock))).toEqual([pair]);
    expect(await activeIds()).toEqual([]);
  });

  test("are revoked in as many transactions as needed, and a crash between two is made up for by a second call", async () => {
    const { leaked, issueNext, activeIds } = await createKey();
    for (let i = 0; i < 60; i++) await issueNext(leaked);
    const crashing = testTableOf(table());
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
    expect(await activeIds()).toHaveLength(15);
    expect(await revokeCredential(table(), leaked, {}, clock)).toHaveLength(15);
    expect(await activeIds()).toEqual([]);
  });

  test("are revoked by a second call after a crash at any point", async () => {
    for (let halfCall = 0; halfCall < 16; halfCall += crashStep) {
      const { leaked, issue, issueNext, activeIds } = await createKey();
      const next = await issueNext(leaked);
      await issue(leaked);
      await issue(next);
      await revokeCredential(dyingTable(table(), halfCall), leaked, {}, clock).catch(() => undefined);
      await revokeCredential(table(), leaked, {}, clock);
      expect(await activeIds()).toEqual([]);
    }
  });
});

describe("a pair that is issued at the moment of the revocation", () => {
  test("is rejected or revoked, in whatever order the two run", async () => {
    for (let i = 0; i < (isThorough ? 20 : 8); i++) {
      const { leaked, issue, activeIds } = await createKey();
      const issued = Array.from({ length: 5 }, () => issue(leaked, testTableOf(table())).catch(() => undefined));
      const revoked = revokeCredential(testTableOf(table()), leaked);
      await Promise.all([...issued, revoked]);
      expect(await activeIds()).toEqual([]);
    }
  });

  test("is rejected with 401 if the revocation comes between its reads and its transaction", async () => {
    const { leaked, issue, activeIds } = await createKey();
    const raced = racedTable(table(), async () =>
      expect(await revokeCredential(table(), leaked, {}, clock)).toEqual([]),
    );
    await expect(issue(leaked, raced)).rejects.toMatchObject({ kind: "unauthorized" });
    expect(await activeIds()).toEqual([]);
  });

  test("is revoked if it is issued after the revocation has read and before it has written", async () => {
    const { leaked, issue, activeIds } = await createKey();
    let late: string | undefined;
    const raced = racedTable(table(), async () => (late = await issue(leaked)));
    expect(idsOf(await revokeCredential(raced, leaked, {}, clock))).toEqual([late]);
    expect(await activeIds()).toEqual([]);
  });

  test("is revoked if an issued credential issues it after the first look", async () => {
    const { leaked, issue, issueNext, activeIds } = await createKey();
    const next = await issueNext(leaked);
    const raced = testTableOf(table());
    let transactions = 0;
    let late: string | undefined;
    interceptCalls(raced).before = async (command) => {
      // The first two transactions revoke the leaked credential and publish its event. The third revokes the next one.
      if (command === "TransactWriteItemsCommand" && ++transactions === 3) late = await issue(next);
    };
    expect(idsOf(await revokeCredential(raced, leaked, {}, clock))).toEqual([next, late].sort());
    expect(await activeIds()).toEqual([]);
  });
});

test("a revoked pair does not count toward the limit of active pairs", async () => {
  const { leaked, issue, activeIds } = await createKey();
  const crbId = randomUUID();
  const kept = await issue(undefined, table(), crbId);
  await issue(leaked, table(), crbId);
  await revokeCredential(table(), leaked, {}, clock);
  const next = await issue(undefined, table(), crbId);
  expect(await activeIds()).toEqual([kept, next].sort());
});

test("an unknown client id changes nothing", async () => {
  expect(await revokeCredential(table(), randomUUID())).toEqual([]);
  await revokeCredentials(table(), []);
});

test("the revocation of a credential that does not exist does not create it", async () => {
  const unknown = randomUUID();
  await revokeCredentials(table(), [unknown], clock);
  expect(await table().get(credentialKey(unknown))).toBeUndefined();
});

test("a revocation that another one overtakes keeps the other one's date", async () => {
  const { leaked, issueNext } = await createKey();
  const issued = await issueNext(leaked);
  const raced = racedTable(table(), () =>
    revokeCredentials(table(), [issued], new TestClock("2026-02-01T00:00:00.000Z")),
  );
  await revokeCredentials(raced, [issued], clock);
  expect((await table().get(credentialKey(issued)))?.revoked_at).toBe("2026-02-01T00:00:00.000Z");
});
