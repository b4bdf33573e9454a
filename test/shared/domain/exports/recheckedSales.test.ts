import { expect, test } from "vitest";
import { readSalesDays } from "../../../../shared/domain/replication/readSalesDays.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { listSales } from "../../../../shared/store/sales.ts";
import { digestOf } from "../../../functions/digestOf.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { plainSale, ScriptedPos } from "../replication/scriptedPos.ts";
import { changesSince, givenExports, recordsIn } from "./givenExports.ts";

useQueues();
useTestBucket();
const table = useTestTable();

interface CheckedSale {
  id: string;
  local_date: string;
  svc_updated_date: string;
  compliance_status: string;
}

test("after a re-check, list, filter, changes, export, sales days and digests agree", async () => {
  const given = await givenExports(table());
  const { crbId, clock } = given;
  const pos = new ScriptedPos(100);
  const days = [1, 1, 2, 2, 3].map((ago) => new Date(clock.time - ago * 86_400_000).toISOString());
  // 35 g of flower break a rule of Colorado and none of New York; 90 g break rules of both.
  const sales = [35, 3.5, 35, 90, 3.5].map((grams, i) => {
    const plain = plainSale(String(i), 0, days[i] as string, null);
    const line_items = plain.line_items.map((line) => ({ ...line, product_type: "flower" as const, grams }));
    return { ...plain, tax_paid: 100, line_items, customer: { ...plain.customer, dob: "1990-05-05" } } as PosSale;
  });
  pos.put("sale", ...sales);
  const run = async (state: string) => {
    clock.advance(60_000);
    const connection = { ...testConnection, crbId, state };
    expect(await replicate(table(), connection, pos, "sale", { clock })).toMatchObject({ outcome: "finished" });
  };
  const exportAll = async () => {
    const { id } = await given.create();
    await given.run(id);
    return given.read(id);
  };
  const list = async (query: object = {}) => {
    const { records } = await (await listSales(table(), crbId, { offset: 0, limit: 1000, ...query })).read();
    return records.map((text) => JSON.parse(text) as CheckedSale);
  };
  await run("CO");
  const before = await list();
  const exported = await exportAll();
  await run("NY");
  const after = await list();
  const flagged = (all: CheckedSale[]) => all.filter(({ compliance_status }) => compliance_status === "red_flag");
  expect([flagged(before).length, flagged(after).length]).toEqual([3, 1]);
  expect(await list({ compliance_status: "red_flag" })).toEqual(flagged(after));
  const byId = (some: readonly { id: string }[]) => [...some].sort((one, other) => (one.id < other.id ? -1 : 1));
  // The sale that stays flagged has another text.
  const earlier = new Map(before.map((sale) => [sale.id, JSON.stringify(sale)]));
  const changed = after.filter((sale) => earlier.get(sale.id) !== JSON.stringify(sale));
  expect(changed).toHaveLength(3);
  expect(byId(await changesSince(table(), crbId, exported.progress[0]?.end_cursor ?? ""))).toEqual(byId(changed));
  expect(byId(await recordsIn(await exportAll()))).toEqual(byId(after));
  const found = await readSalesDays(table(), crbId, { offset: 0, limit: 100 });
  expect(found.days.map(({ date }) => date)).toHaveLength(3);
  for (const { date, digest, by_compliance } of found.days) {
    const own = after.filter(({ local_date }) => local_date.startsWith(date));
    expect(digest).toBe(digestOf(own));
    for (const status of ["red_flag", "svc_checked", "unchecked", "warning"] as const) {
      const count = own.filter(({ compliance_status }) => compliance_status === status).length;
      expect(by_compliance[status].count).toBe(count);
    }
  }
});
