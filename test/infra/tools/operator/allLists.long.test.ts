import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { allLists } from "../../../../infra/tools/operator/listRun.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import type { RebuildListsOptions } from "../../../../shared/domain/replication/rebuildLists.ts";
import { createCrb, listCrbs, putServiceProvider } from "../../../../shared/store/crbs.ts";
import { associationKey } from "../../../../shared/store/keys/crbs.ts";
import { listRebuildKey } from "../../../../shared/store/keys/replication.ts";
import { hasDifferences } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
const spId = randomUUID();
const crbIds = Array.from({ length: 4 }, () => randomUUID());

beforeAll(async () => {
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  for (const id of crbIds) {
    await createCrb(table(), { record: crbRecord(id), serviceProviderId: spId, connection: null });
  }
  await endAssociation(table(), unusedBucket, crbIds[3] as string);
});

/** The owners whose lists were reported, in that order, up to the given number. */
async function ownersOf(
  isFromStart: boolean,
  most = Number.POSITIVE_INFINITY,
  options: RebuildListsOptions = {},
): Promise<string[]> {
  const owners = new Set<string>();
  for await (const { owner } of allLists(table(), options, isFromStart)) {
    owners.add(owner);
    if (owners.size === most) break;
  }
  return [...owners];
}

async function differences(options: RebuildListsOptions) {
  const reports = await Array.fromAsync(allLists(table(), options, false));
  return reports.filter((report) => !("reason" in report) && hasDifferences(report));
}

test("an interrupted rebuild of all lists continues, and begins again with --from-start", async () => {
  const all = await ownersOf(false);
  expect(all.toSorted()).toEqual([spId, ...crbIds].sort());
  expect(await table().get(listRebuildKey, { consistent: true })).toBeUndefined();
  await ownersOf(false, 3);
  const [, , third, ...others] = all;
  // The third owner was begun.
  expect((await ownersOf(false)).filter((owner) => owner !== third)).toEqual(others);
  await ownersOf(false, 3);
  expect(await ownersOf(true)).toEqual(all);
  // A rebuild of other kinds has not rebuilt these.
  await ownersOf(false, 3, { kinds: ["sale"] });
  expect(await ownersOf(false)).toEqual(all);
});

test("an association whose CRB is not stored is removed from the list of CRBs", async () => {
  const stray = randomUUID();
  await table().put({ ...associationKey(spId, stray), rank: "2026-01-01#00000000" });
  expect(await differences({ isCheck: true })).toMatchObject([
    { owner: spId, list: "crb", size: 4, differences: { records: 1, counts: 1 } },
  ]);
  await differences({});
  expect(await differences({ isCheck: true })).toEqual([]);
  expect(await listCrbs(table(), spId, { offset: 0, limit: 10 })).toMatchObject({ total: 3, records: { length: 3 } });
});
