import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { courierScripts, deliver } from "../../../infra/local/courier.ts";
import { demoCouriers } from "../../../infra/local/demoDeposits.ts";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import type { ReconciliationDay } from "../../../shared/api/schemas/reconciliation.ts";
import { removeDeposits } from "../../../shared/domain/deposits/removeDeposits.ts";
import { answerOf } from "../../client/answerOf.ts";
import { type ApiClient, apiClient, everyEntry, everyRecord } from "../../client/apiClient.ts";
import { recomputeDays, withoutRevision } from "./recomputeDays.ts";

const base = "/service-providers/{sp_id}/crbs/{crb_id}";

// All demo businesses, with their deposits. `useStage` leaves out sales of one.
let stage: Stage;
let client: ApiClient;
beforeAll(async () => {
  const data = mkdtempSync(join(inject("temporaryDirectory"), "deposits-"));
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
  const { base_url: baseUrl, service_provider } = stage.description;
  client = apiClient({ baseUrl, credential: service_provider.client_secret });
}, 600_000);
afterAll(() => stage?.stop());

const pathOf = (crb_id: string) => ({ sp_id: stage.description.service_provider.sp_id, crb_id });

const newest = async (crbId: string): Promise<ReconciliationDay[]> =>
  (await Array.fromAsync(everyEntry(client, `${base}/reconciliation-days`, pathOf(crbId), { limit: 33 }))).reverse();

/** The days as the Python program computes them from the lists of the API. */
async function recompute(crbId: string): Promise<object[]> {
  const path = pathOf(crbId);
  return recomputeDays({
    business_type: stage.description.crbs.find(({ crb_id }) => crb_id === crbId)?.business_type,
    settings: answerOf(await client.GET(`${base}/reconciliation-settings`, { params: { path } })),
    sales_days: await Array.fromAsync(everyRecord(client, `${base}/sales-days`, { path, query: { limit: 1000 } })),
    deposits: await Array.fromAsync(everyEntry(client, `${base}/deposits`, path)),
    cash_counts: await Array.fromAsync(everyEntry(client, `${base}/cash-counts`, path)),
  });
}

async function expectRecomputed(crbId: string): Promise<ReconciliationDay[]> {
  const days = await newest(crbId);
  expect(days.length).toBeGreaterThan(100);
  expect(days.map(withoutRevision)).toEqual(await recompute(crbId));
  return days;
}

describe("the reconciliation days of the demo", () => {
  test("are those that a program in Python computes from the lists, for each business", async () => {
    for (const { crb_id, name } of stage.description.crbs) {
      if (demoCouriers[name]) await expectRecomputed(crb_id);
      else expect(await newest(crb_id)).toEqual([]);
    }
  });

  test("show that a courier comes daily, that one keeps too much, and that some deposits have no sale", async () => {
    const statuses = Object.fromEntries(
      await Promise.all(
        stage.description.crbs.map(async ({ crb_id, name }) => {
          const days = (await newest(crb_id)).filter(({ counted, complete }) => counted && complete);
          return [name, [...new Set(days.map(({ status }) => status))].sort()];
        }),
      ),
    );
    expect(statuses).toMatchObject({
      "High Country Remedies": ["within"],
      "Lakeshore Provisioning": expect.arrayContaining(["deposits_unexplained"]),
      "Emerald Coast Distribution": expect.arrayContaining(["cash_outstanding"]),
    });
  });

  test.each(courierScripts)(
    "follow the rules with the script %s, also in another order and with other settings",
    async (script) => {
      for (const { crb_id, name } of stage.description.crbs) {
        if (!demoCouriers[name]) continue;
        const path = pathOf(crb_id);
        const sold = (await newest(crb_id)).filter(({ complete }) => complete).slice(-60);
        expect(sold).toHaveLength(60);
        const { count, deposits } = deliver(script, sold);
        await removeDeposits(stage.table, crb_id, () => undefined);
        answerOf(await client.PUT(`${base}/deposits`, { params: { path }, body: { deposits: deposits.toReversed() } }));
        const params = { path: { ...path, date: count.date } };
        answerOf(await client.PUT(`${base}/cash-counts/{date}`, { params, body: { amount: count.amount } }));
        await expectRecomputed(crb_id);
        const body = { never_cash: ["other" as const], since: sold[20]?.date ?? "", max_days_without_deposit: 3 };
        answerOf(await client.PUT(`${base}/reconciliation-settings`, { params: { path }, body }));
        await expectRecomputed(crb_id);
        const defaults = { never_cash: [], since: null, max_days_without_deposit: 10 };
        answerOf(await client.PUT(`${base}/reconciliation-settings`, { params: { path }, body: defaults }));
      }
    },
    300_000,
  );
});
