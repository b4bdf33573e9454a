import { beforeAll, describe, expect, test } from "vitest";
import type { Stage } from "../../infra/local/stage.ts";
import { useStage } from "./useStage.ts";

const { stage } = useStage();

type Json = Record<string, unknown> & { svc_updated_date?: string };
interface Sale extends Json {
  type: "retail" | "wholesale";
  local_date: string;
  svc_updated_date: string;
  customer: { customer_id: string | null; pos_customer_id: string | null } | null;
  invoice?: { pos_customer_id: string | null };
}
type DemoCrb = Stage["description"]["crbs"][number];
type Filter = Record<string, string>;

/** The UTC day on which the demo was replicated, which need not be the day on which a test reads it. */
let today: string;
beforeAll(async () => {
  const { data } = await read(stage().description.crbs[0] as DemoCrb, "customers", { limit: "1" });
  today = data[0]?.svc_updated_date?.slice(0, 10) ?? "";
});
const utcDay = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

async function read(crb: DemoCrb, path: string, parameters: Filter) {
  const url = `${stage().description.base_url}/crbs/${crb.crb_id}/${path}?${new URLSearchParams(parameters)}`;
  const answer = await fetch(url, { headers: { Authorization: crb.client_secret } });
  const { metadata, data, ...error } = (await answer.json()) as { metadata: { total: number }; data: Json[] };
  expect(answer.status, JSON.stringify(error)).toBe(200);
  return { total: metadata.total, data };
}

/** Every record of a list, by walking its pages. */
async function readAll(crb: DemoCrb, path: string, parameters: Filter = {}): Promise<Json[]> {
  const records: Json[] = [];
  for (let total = 1; records.length < total; ) {
    const page = await read(crb, path, { ...parameters, offset: String(records.length) });
    total = page.total;
    records.push(...page.data);
    if (page.data.length === 0) break;
  }
  return records;
}

/** Every filter alone, and each with each. */
const pairsOf = (filters: Filter[]): Filter[] =>
  filters.flatMap((first, i) => filters.slice(i).map((second) => ({ ...first, ...second })));

const within = (day: string, from?: string, to?: string) => (!from || day >= from) && (!to || day <= to);

describe.each([0, 2])("the sales of demo business %i", (index) => {
  let crb: DemoCrb;
  let sales: Sale[];
  let filters: Filter[];
  beforeAll(async () => {
    crb = stage().description.crbs[index] as DemoCrb;
    sales = (await readAll(crb, "sales")) as Sale[];
    const days = [...new Set(sales.map(({ local_date: date }) => date.slice(0, 10)))].sort();
    const middle = days[Math.floor(days.length / 2)] ?? "";
    const late = days.at(-8) ?? "";
    const some = sales.find(({ customer }) => customer?.pos_customer_id);
    filters = [
      { last_updated_from: utcDay(0) },
      { last_updated_from: utcDay(1) },
      { last_updated_to: utcDay(0) },
      { last_updated_to: utcDay(-1) },
      { start_date: middle },
      { start_date: late },
      { end_date: middle },
      { start_date: middle, end_date: middle },
      { customer_id: some?.customer?.customer_id ?? "" },
      { customer_id: "0b9f2c3a-7d14-4b8e-9a55-1c6d2e8f7b40" },
      { pos_customer_id: some?.customer?.pos_customer_id ?? "" },
      { pos_customer_id: "nobody" },
    ];
    const invoiced = sales.find((sale) => sale.invoice?.pos_customer_id);
    if (invoiced) filters.push({ pos_customer_id: invoiced.invoice?.pos_customer_id ?? "" });
  }, 60_000);

  const expected = (query: Filter) =>
    sales.filter(
      (sale) =>
        within(sale.svc_updated_date.slice(0, 10), query.last_updated_from, query.last_updated_to) &&
        within(sale.local_date.slice(0, 10), query.start_date, query.end_date) &&
        (!query.customer_id || (sale.type === "retail" && sale.customer?.customer_id === query.customer_id)) &&
        (!query.pos_customer_id ||
          sale.customer?.pos_customer_id === query.pos_customer_id ||
          sale.invoice?.pos_customer_id === query.pos_customer_id),
    );

  test("each filter alone and all pairs give what the rules say, in the order they say", async () => {
    for (const query of pairsOf(filters)) {
      // A pair of two bounds that cross is refused, and has a test of its own.
      if (query.start_date && query.end_date && query.start_date > query.end_date) continue;
      if ((query.last_updated_from ?? "") > (query.last_updated_to ?? "9")) continue;
      const matching = expected(query);
      const answer = await readAll(crb, "sales", query);
      expect(answer.map(({ id }) => id).sort(), JSON.stringify(query)).toEqual(matching.map(({ id }) => id).sort());
      const bySaleDay = Boolean(query.start_date ?? query.end_date);
      const days = (answer as Sale[]).map((sale) => (bySaleDay ? sale.local_date : sale.svc_updated_date).slice(0, 10));
      expect(days).toEqual([...days].sort().reverse());
      const page = await read(crb, "sales", { ...query, offset: "5", limit: "7" });
      expect(page).toEqual({ total: matching.length, data: answer.slice(5, 12) });
    }
  }, 120_000);

  test("the demo's sales meet every filter that some must meet", () => {
    for (const query of filters.filter((filter) => !Object.values(filter).includes("nobody"))) {
      const nothing = [utcDay(1), utcDay(-1), "0b9f2c3a-7d14-4b8e-9a55-1c6d2e8f7b40"];
      const some = !Object.values(query).some((value) => nothing.includes(value));
      if ("customer_id" in query && sales[0]?.type === "wholesale") expect(expected(query)).toEqual([]);
      else expect(expected(query).length > 0, JSON.stringify(query)).toBe(some);
    }
  });
});

describe("the other lists, by update days", () => {
  test.each(["customers", "products", "inventory", "inventory-locations"])("%s", async (path) => {
    const crb = stage().description.crbs[0] as DemoCrb;
    const all = await readAll(crb, path);
    expect(all.length).toBeGreaterThan(0);
    const filters = [-1, 0, 1].flatMap((days): Filter[] => [
      { last_updated_from: utcDay(days) },
      { last_updated_to: utcDay(days) },
    ]);
    for (const query of pairsOf(filters)) {
      if ((query.last_updated_from ?? "") > (query.last_updated_to ?? "9")) continue;
      // Locations hold their update time without returning it; the demo's are all of today.
      const matching = all.filter(({ svc_updated_date: date = utcDay(0) }) =>
        within(date.slice(0, 10), query.last_updated_from, query.last_updated_to),
      );
      expect(await readAll(crb, path, query), JSON.stringify(query)).toEqual(matching);
    }
  });

  test("the inventory of every location holds what the inventory says of it", async () => {
    const crb = stage().description.crbs[0] as DemoCrb;
    const [locations, inventory] = await Promise.all([readAll(crb, "inventory-locations"), readAll(crb, "inventory")]);
    let empty = 0;
    for (const { id } of locations) {
      const path = `inventory-locations/${id}/inventory`;
      const records = await readAll(crb, path);
      const quantities = inventory.flatMap(({ id: inventoryId, location_data: data }) =>
        ((data ?? []) as { location_id: string; quantity: number }[])
          .filter(({ location_id }) => location_id === id)
          .map(({ quantity }) => [inventoryId, quantity]),
      );
      expect(Object.fromEntries(records.map((record) => [record.id, record.quantity]))).toEqual(
        Object.fromEntries(quantities),
      );
      if (records.length === 0) empty++;
      expect(await readAll(crb, path, { date: utcDay(-30) })).toEqual([]);
    }
    expect(empty).toBeGreaterThan(0);
    expect(inventory.some(({ product_id: product }) => product === null)).toBe(true);
  });
});
