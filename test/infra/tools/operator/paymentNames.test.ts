import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import type { PosTypeName } from "../../../../shared/api/enumerations.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import { namedPayment } from "../../../../shared/pos/framework/conversions/paymentType.ts";
import { createCrb, putServiceProvider } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { plainSale, ScriptedPos } from "../../../shared/domain/replication/scriptedPos.ts";
import { testConnection } from "../../../shared/pos/sandbox/testConnection.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { promised } from "./promised.ts";
import { useAwsOperator } from "./useAwsOperator.ts";

useTestServiceKey();
const { table, expectDone } = useAwsOperator();

const [spId, first, second, unread] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const hostile = "Bar\u001b[2J\u202e tab";

async function addCrb(id: string, posType: PosTypeName, names: readonly string[]): Promise<void> {
  const connection = { posType, locationId: null, connectedAt: "2026-03-01T12:00:00.000Z" };
  const pos_configs = [{ name: posType, updated_date: connection.connectedAt, status: "Connected" as const }];
  await createCrb(table(), { record: { ...crbRecord(id), pos_configs }, serviceProviderId: spId, connection });
  const pos = new ScriptedPos(500);
  for (const [i, name] of names.entries()) {
    const sale = plainSale(`S-${i}`, 0, "2026-02-27T18:00:00.000Z", null);
    pos.put("sale", { ...sale, payments: [namedPayment(1_000, name)] });
  }
  if (names.length > 0) await replicate(table(), { ...testConnection, crbId: id, posType }, pos, "sale");
}

beforeAll(async () => {
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  await addCrb(first, "Treez", ["Cash App", "CASH", "CASH", "CASH", hostile]);
  await addCrb(second, "Treez", ["CASH", "CASH"]);
  await addCrb(unread, "Flowhub", []);
});

const run = (...parameters: string[]) => expectDone("payments", "names", ...parameters);

test("the names of a CRB are listed with their types and counts, the most frequent first", async () => {
  const lines = (await run(first)).trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ["name", "read as", "sales"],
    ["CASH", "cash", "3"],
    ["Cash App", "other", "1"],
    ["Bar[#J tab", "other", "1"],
  ]);
});

test("without a CRB, the names of all CRBs are added up by POS", async () => {
  const rows = JSON.parse(await run("--json"));
  expect(rows[0]).toEqual({ name: "CASH", type: "cash", sales: 5, is_estimate: false, pos_type: "Treez", crbs: 2 });
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(Object.keys(row)).toEqual(promised("payments names"));
});

test("a CRB without sales has no names", async () => {
  expect(await run(unread)).toBe("No sale with a payment has been read.\n");
});
