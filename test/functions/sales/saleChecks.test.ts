import { beforeEach, expect, test } from "vitest";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { plainSale, ScriptedPos } from "../../shared/domain/replication/scriptedPos.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const testTable = useTestTable();
let sp: Awaited<ReturnType<typeof givenServiceProvider>>;

/** The grams of flower in the sales of two days; more than an ounce breaks a rule of Colorado. */
const grams = { a: 35, b: 3.5, c: 40, d: 1 };
const dates = { a: "2026-03-01T18:00:00.000Z", b: "2026-03-01T18:01:00.000Z", c: "2026-03-02T18:00:00.000Z", d: "" };
const overOunce = (value: number) =>
  `CO.adult.sale_equivalent: ${value} g of flower equivalent in one sale, limit 28.35 g of flower equivalent`;

beforeEach(async () => {
  sp = await givenServiceProvider(testTable());
  const pos = new ScriptedPos(100);
  const ids = ["a", "b", "c", "d"] as const;
  const sales = ids.map((id) => {
    const plain = plainSale(id, 0, dates[id] || dates.c, "1");
    const line_items = plain.line_items.map((line) => ({
      ...line,
      product_type: "flower" as const,
      grams: grams[id],
      price_per_unit: id === "d" ? 0 : 1_000,
    }));
    return { ...plain, tax_paid: id === "d" ? 0 : 100, line_items, customer: { ...plain.customer, dob: "1990-05-05" } };
  });
  pos.put("sale", ...(sales as never[]));
  const connection = { ...testConnection, crbId: sp.crbId };
  expect(await replicate(testTable(), connection, pos, "sale")).toMatchObject({ outcome: "finished" });
});

const sales = (query: Record<string, string>) =>
  sp.call("listCrbSales", { query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])) });

test("the filter finds the flagged sales, alone and by days, and the days count them", async () => {
  const found = async (query: Record<string, string>) =>
    (await sales(query)).json.data.map((sale: { pos_sale_id: string }) => sale.pos_sale_id).sort();
  expect(await found({ compliance_status: "red_flag" })).toEqual(["a", "c"]);
  expect(await found({ compliance_status: "warning" })).toEqual(["d"]);
  expect(await found({ compliance_status: "red_flag", start_date: "2026-03-02" })).toEqual(["c"]);
  expect(await found({ compliance_status: "red_flag", start_date: "2026-03-01", end_date: "2026-03-01" })).toEqual([
    "a",
  ]);
  const { json } = await sp.call("listCrbSalesDays");
  const counts = json.data.map(({ by_compliance }: { by_compliance: Record<string, { count: number }> }) =>
    Object.values(by_compliance).map(({ count }) => count),
  );
  expect(counts).toEqual([
    [0, 0, 1, 1],
    [0, 1, 0, 1],
  ]);
});

test.each([
  [{ compliance_status: "unchecked" }],
  [{ compliance_status: "red_flag", customer_id: "3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845" }],
  [{ compliance_status: "red_flag", pos_customer_id: "1" }],
  [{ compliance_status: "warning", last_updated_from: "2026-03-01" }],
])("the filter %j is rejected", async (query) => {
  const { status, json } = await sales(query);
  expect(status).toBe(422);
  expect(JSON.stringify(json)).toContain("query.compliance_status");
});

test("the checks of a sale name each rule with its limit and the value of the sale", async () => {
  const { json: listed } = await sales({ compliance_status: "red_flag" });
  const sale = listed.data.find(({ pos_sale_id }: { pos_sale_id: string }) => pos_sale_id === "a");
  expect(sale.compliance_exceptions).toEqual([overOunce(35)]);
  const path = { crb_id: sp.crbId, sale_id: sale.id };
  const { status, json } = await sp.call("explainCrbSaleChecks", { path });
  expect(status).toBe(200);
  expect(json).toMatchObject({ sale_id: sale.id, state: "CO", date: "2026-03-01" });
  const outcomes = Object.fromEntries(json.checks.map((each: { rule_id: string }) => [each.rule_id, each]));
  expect(outcomes["CO.adult.sale_equivalent"]).toMatchObject({
    outcome: "violated",
    limit: 28.349523,
    value: 35,
    unit: "g_flower_equivalent",
  });
  expect(outcomes["CO.adult.minimum_age"]).toMatchObject({ outcome: "passed", value: 35, limit: 21 });
  const unknown = { ...path, sale_id: "3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845" };
  expect(await sp.call("explainCrbSaleChecks", { path: unknown })).toMatchObject({ status: 404 });
});

test("the rules are listed by state and day, with their sources", async () => {
  const rules = async (query: Record<string, string[]>) => (await sp.call("listSaleRules", { query })).json;
  const all = await rules({});
  expect(all.metadata.total).toBe(99);
  const illinois = await rules({ state: ["IL"], date: ["2026-06-11"] });
  const ids = illinois.data.map(({ id }: { id: string }) => id);
  expect(ids).toContain("IL.adult.sale_flower.2024");
  expect(ids).not.toContain("IL.adult.sale_flower.2026");
  expect(ids).toContain("all.adult.identification_expired");
  expect(illinois.data[0].sources[0]).toHaveProperty("read");
  const page = await rules({ limit: ["2"], offset: ["1"] });
  expect(page).toMatchObject({ metadata: { total: 99, count: "2 - 3" } });
});
