import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { issueCrbAccess } from "../../../../shared/auth/crbAccess.ts";
import { issueCredential, listCredentials } from "../../../../shared/auth/credentials.ts";
import { crbScopes } from "../../../../shared/auth/scopes.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb, createCrb, listCrbs, readCrb } from "../../../../shared/store/crbs.ts";
import { LeaseLostError, transactFenced } from "../../../../shared/store/orderedList/fence.ts";
import { findOrganization, idsOf } from "../../../../shared/store/organizations.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { dyingTable } from "../../../dyingTable.ts";
import { racedTable } from "../../../racedTable.ts";
import { revoking } from "../../../revoking.ts";
import { testTableOf } from "../../../testTable.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "../replication/acquireFreeLease.ts";

const table = useTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");

async function createCrbs(count: number) {
  const serviceProviderId = randomUUID();
  const crbIds = Array.from({ length: count }, () => randomUUID());
  for (const id of crbIds) {
    const record = { ...crbRecord(id), name: `Business ${id}` };
    await createCrb(table(), { record, serviceProviderId, connection: null, primaryContactEmail: null }, clock);
  }
  const listed = async () =>
    (await listCrbs(table(), serviceProviderId, { offset: 0, limit: 10 })).records.map(({ id }) => id);
  const countActive = async (crbId: string) =>
    (await listCredentials(table(), serviceProviderId)).filter(
      ({ owner, revoked_at }) => owner.id === crbId && revoked_at === undefined,
    ).length;
  return { spId: serviceProviderId, crbIds, listed, countActive };
}

test("the end of an association revokes only that CRB's credentials, however many, and its organization can be created again", async () => {
  const { spId, crbIds, listed, countActive } = await createCrbs(2);
  const [crbId = "", other = ""] = crbIds;
  for (let i = 0; i < 85; i++) {
    await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: crbScopes });
  }
  await issueCrbAccess(table(), { spId, crbId: other, scopes: crbScopes, beforeRevocation: revoking }, clock);
  const organization = (await readCrb(table(), crbId))?.record ?? expect.fail("no CRB");
  expect(idsOf(await findOrganization(table(), spId, organization))).toEqual([crbId]);

  const result = await endAssociation(table(), unusedBucket, crbId, clock);
  expect([result?.ended, result?.revoked.length]).toEqual([true, 85]);
  expect([await countActive(crbId), await countActive(other)]).toEqual([0, 1]);
  expect(await listed()).toEqual([other]);
  expect(idsOf(await findOrganization(table(), spId, organization))).toEqual([]);
  expect(await endAssociation(table(), unusedBucket, crbId, clock)).toMatchObject({ ended: false, revoked: [] });
  expect(await endAssociation(table(), unusedBucket, randomUUID(), clock)).toBeUndefined();
});

test("the end of an association ends the CRB's replications, even if its credentials fill the transaction", async () => {
  const [crbId, spId] = [randomUUID(), randomUUID()];
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: clock.now().toISOString() };
  await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection }, clock);
  for (let i = 0; i < 85; i++) {
    await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: crbScopes });
  }
  const leases = await Promise.all(recordKinds.map((kind) => acquireFreeLease(table(), crbId, kind, clock)));
  expect((await endAssociation(table(), unusedBucket, crbId, clock))?.revoked).toHaveLength(85);
  for (const lease of leases) {
    await expect(transactFenced(table(), lease.fence, [])).rejects.toThrow(LeaseLostError);
  }
});

test("a pair that is issued at the same moment is either rejected or revoked", async () => {
  for (let i = 0; i < 10; i++) {
    const { spId, crbIds, countActive } = await createCrbs(1);
    const [crbId = ""] = crbIds;
    const issuing = issueCrbAccess(
      testTableOf(table()),
      { spId, crbId, scopes: crbScopes, beforeRevocation: revoking },
      clock,
    ).catch(() => undefined);
    await Promise.all([endAssociation(table(), unusedBucket, crbId, clock), issuing]);
    expect(await countActive(crbId)).toBe(0);
  }
});

describe("a change of the CRB", () => {
  const rename = (onTable: Table, crbId: string) =>
    changeCrb(
      onTable,
      crbId,
      (crb) => ({ ...crb, record: { ...crb.record, name: "Late", ein: "84-5550142" } }),
      clock,
      { compareHolders: async () => ({}) },
    );
  const expectEnded = async ({ spId, listed }: Awaited<ReturnType<typeof createCrbs>>) => {
    expect(await listed()).toEqual([]);
    for (const ein of ["84-5550142", null]) {
      expect(idsOf(await findOrganization(table(), spId, { name: "Late", state: "CO", ein }))).toEqual([]);
    }
  };

  test("is rejected after the end, and does not restore the association", async () => {
    const given = await createCrbs(1);
    const [crbId = ""] = given.crbIds;
    await endAssociation(table(), unusedBucket, crbId, clock);
    await expect(rename(table(), crbId)).rejects.toMatchObject({ kind: "notFound" });
    await expectEnded(given);
  });

  test("is rejected if the end comes between its reads and its write", async () => {
    const given = await createCrbs(1);
    const [crbId = ""] = given.crbIds;
    const raced = racedTable(table(), () => endAssociation(table(), unusedBucket, crbId, clock));
    await expect(rename(raced, crbId)).rejects.toMatchObject({ kind: "notFound" });
    await expectEnded(given);
  });

  test("that comes between the reads and the write of the end is ended completely", async () => {
    const given = await createCrbs(1);
    const [crbId = ""] = given.crbIds;
    const raced = racedTable(table(), () => rename(table(), crbId));
    expect((await endAssociation(raced, unusedBucket, crbId, clock))?.ended).toBe(true);
    expect((await readCrb(table(), crbId))?.record.name).toBe("Late");
    await expectEnded(given);
  });
});

test("an end that is killed at any call is finished by a second call", async () => {
  for (let halfCall = 0; halfCall < 26; halfCall++) {
    const { spId, crbIds, listed, countActive } = await createCrbs(2);
    const [crbId = ""] = crbIds;
    await issueCrbAccess(table(), { spId, crbId, scopes: crbScopes, beforeRevocation: revoking }, clock);
    const crashing = dyingTable(table(), halfCall);
    await endAssociation(crashing, unusedBucket, crbId, clock).catch(() => undefined);
    expect((await listed()).includes(crbId)).toBe((await countActive(crbId)) > 0);
    await endAssociation(table(), unusedBucket, crbId, clock);
    expect([(await listed()).length, await countActive(crbId)]).toEqual([1, 0]);
  }
});
