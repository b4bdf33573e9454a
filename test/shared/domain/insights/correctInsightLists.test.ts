import { beforeEach, describe, expect, test } from "vitest";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { listInsights } from "../../../../shared/domain/insights/listInsights.ts";
import { applyFinding, insightWrites } from "../../../../shared/domain/insights/storedInsight.ts";
import { rebuildCrbList, rebuildLists } from "../../../../shared/domain/replication/rebuildLists.ts";
import type { Finding } from "../../../../shared/insights/history.ts";
import { insightKey, listedInsightKey, providerInsightsPartition } from "../../../../shared/store/keys/insights.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { InsightShop } from "./insightShop.ts";

let shop: InsightShop;
let ids: string[];

const table = useTestTable();
useTestBucket();
beforeEach(async () => {
  shop = await new InsightShop(table()).open();
  ids = [];
  for (const day of ["2026-03-01", "2026-03-02", "2026-03-03"]) ids.push(await raise(day));
});

async function raise(day: string): Promise<string> {
  const finding: Finding = {
    ...{ code: "no_sales", start_date: day, end_date: day, subject: null, measured: 2, expected: 1, unit: "sales" },
    ...{ criterion: "more than 1", sentence: "Two sales.", windows: [[day, day]], sales: [] },
  };
  const at = { now: "2026-03-04T07:00:00.000Z", digestOf: () => "0".repeat(64) };
  const change = applyFinding(shop.crbId, finding, undefined, at) ?? expect.fail();
  await table().transact(insightWrites(table(), shop.spId, change.stored, undefined));
  return change.stored.insight.id;
}

const listed = async () => (await listInsights(table(), shop.spId, { limit: 100 })).records.map(({ id }) => id);

/** The differences of the CRB's list and of the service provider's. */
async function run(isCheck: boolean): Promise<number[]> {
  const ofCrb = await Array.fromAsync(rebuildLists(table(), shop.crbId, { kinds: ["insight"], isCheck }));
  const ofProvider = await Array.fromAsync(rebuildCrbList(table(), shop.spId, { isCheck }));
  return [...ofCrb, ...ofProvider]
    .filter(({ list }) => list === "insight")
    .map(({ differences }) => differences.entries);
}

/** A check finds the differences and changes nothing, a rebuild corrects them. */
async function expectCorrected(ofCrb: number, ofProvider: number) {
  for (let i = 0; i < 2; i++) expect(await run(true)).toEqual([ofCrb, ofProvider]);
  expect(await run(false)).toEqual([ofCrb, ofProvider]);
  expect(await run(true)).toEqual([0, 0]);
}

test("lists that agree have no difference", async () => {
  expect(await run(true)).toEqual([0, 0]);
  expect(await listed()).toEqual(ids);
});

describe("a rebuild corrects", () => {
  const [first, second] = ["2026-03-01", "2026-03-02"] as const;

  test("an insight that is not on the list, and one at another place", async () => {
    await table().batchDelete([listedInsightKey(shop.spId, ids[0] ?? "")]);
    await table().update(listedInsightKey(shop.spId, ids[1] ?? ""), { rank: "4#00" });
    await expectCorrected(2, 0);
    expect(await listed()).toEqual(ids);
  });

  test("the place of an insight in the list of its CRB", async () => {
    await table().update(insightKey(shop.crbId, first, ids[0] ?? ""), { rank: "4#00" });
    await expectCorrected(1, 0);
  });

  test("an entry that leads to no insight", async () => {
    await table().batchDelete([insightKey(shop.crbId, second, ids[1] ?? "")]);
    await expectCorrected(0, 1);
    expect(await listed()).toEqual([ids[0], ids[2]]);
  });

  test("an entry that outlived the association", async () => {
    const key = listedInsightKey(shop.spId, ids[0] ?? "");
    const entry = (await table().get(key)) ?? expect.fail();
    await endAssociation(table(), serviceBucket(), shop.crbId, shop.clock);
    expect(await run(true)).toEqual([0, 0]);
    await table().put(entry);
    expect(await run(true)).toEqual([1, 1]);
    await Array.fromAsync(rebuildCrbList(table(), shop.spId));
    expect(await table().queryPartition(providerInsightsPartition(shop.spId))).toEqual([]);
    await table().put(entry);
    await Array.fromAsync(rebuildLists(table(), shop.crbId, { kinds: ["insight"] }));
    expect(await run(true)).toEqual([0, 0]);
  });
});
