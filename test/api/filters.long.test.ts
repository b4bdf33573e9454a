import { beforeAll, describe, expect, test } from "vitest";
import type { components, operations } from "../../clients/typescript/openApi.ts";
import type { Stage } from "../../infra/local/stage.ts";
import { answerOf } from "../client/answerOf.ts";
import { type ApiClient, apiClient, everyRecord } from "../client/apiClient.ts";
import { useStage } from "./useStage.ts";

const { stage } = useStage();

type Sale = components["schemas"]["Sale"];
type Filter = NonNullable<operations["listSales"]["parameters"]["query"]>;
type UpdateFilter = Pick<Filter, "last_updated_from" | "last_updated_to">;

interface CrbClient {
  client: ApiClient;
  path: { crb_id: string };
}
const clients = new Map<number, CrbClient>();

/** The typed client of one of the demo's CRBs, and its id as the path parameter. */
function clientOf(index: number): CrbClient {
  const { base_url: baseUrl, crbs } = stage().description;
  const crb = crbs[index] as Stage["description"]["crbs"][number];
  const credential = { clientId: crb.client_id, clientSecret: crb.client_secret };
  const made = clients.get(index) ?? { client: apiClient({ baseUrl, credential }), path: { crb_id: crb.crb_id } };
  clients.set(index, made);
  return made;
}

/** The UTC day on which the demo was replicated. The test may run on a later day. */
let today: string;
beforeAll(async () => {
  const { client, path } = clientOf(0);
  const list = await client.GET("/crbs/{crb_id}/customers", { params: { path, query: { limit: 1 } } });
  today = answerOf(list).data[0]?.svc_updated_date?.slice(0, 10) ?? "";
});
const utcDay = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

const readSales = async (index: number, query: Filter = {}): Promise<Sale[]> => {
  const { client, path } = clientOf(index);
  return Array.fromAsync(everyRecord(client, "/crbs/{crb_id}/sales", { path, query }));
};

/** Each filter combined with each other one, and alone. */
const pairsOf = <Each extends Filter>(filters: Each[]): Each[] =>
  filters.flatMap((first, i) => filters.slice(i).map((second) => ({ ...first, ...second })));

const byId = (sales: readonly Sale[]) => new Map(sales.map((sale) => [sale.id, sale]));

const within = (day: string, from?: string, to?: string) => (!from || day >= from) && (!to || day <= to);

const buyerOnInvoice = (sale: Sale) => (sale.type === "wholesale" ? sale.invoice.pos_customer_id : null);

describe.each([0, 2])("the sales of demo business %i", (index) => {
  let sales: Sale[];
  let filters: Filter[];
  beforeAll(async () => {
    sales = await readSales(index);
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
    const invoiced = sales.map(buyerOnInvoice).find((buyer) => buyer);
    if (invoiced) filters.push({ pos_customer_id: invoiced });
  });

  const expected = (query: Filter) =>
    sales.filter(
      (sale) =>
        within(sale.svc_updated_date.slice(0, 10), query.last_updated_from, query.last_updated_to) &&
        within(sale.local_date.slice(0, 10), query.start_date, query.end_date) &&
        (!query.customer_id || (sale.type === "retail" && sale.customer?.customer_id === query.customer_id)) &&
        (!query.pos_customer_id ||
          sale.customer?.pos_customer_id === query.pos_customer_id ||
          buyerOnInvoice(sale) === query.pos_customer_id),
    );

  const dayOf = (sale: Sale, { start_date, end_date }: Filter) =>
    ((start_date ?? end_date) ? sale.local_date : sale.svc_updated_date).slice(0, 10);
  const latestFirst = (days: string[]) => days.toSorted().reverse();
  const readPage = async (query: Filter) => {
    const { client, path } = clientOf(index);
    const params = { path, query: { ...query, offset: 5, limit: 7 } };
    return answerOf(await client.GET("/crbs/{crb_id}/sales", { params }));
  };

  test("a single filter returns the expected sales in the expected order", async () => {
    for (const query of filters) {
      const matching = expected(query);
      const answer = await readSales(index, query);
      expect(byId(answer), JSON.stringify(query)).toEqual(byId(matching));
      expect(answer).toHaveLength(matching.length);
      const days = answer.map((sale) => dayOf(sale, query));
      expect(days).toEqual(latestFirst(days));
      const { metadata, data } = await readPage(query);
      expect([metadata.total, data]).toEqual([matching.length, answer.slice(5, 12)]);
    }
  });

  // test/shared/store/sales.test.ts reads whole lists by all pairs of filters.
  test("a pair of filters returns the expected page", async () => {
    for (const query of pairsOf(filters)) {
      // Another test covers pairs whose bounds cross, which are rejected.
      if (query.start_date && query.end_date && query.start_date > query.end_date) continue;
      if ((query.last_updated_from ?? "") > (query.last_updated_to ?? "9")) continue;
      const matching = expected(query);
      const allowed = byId(matching);
      const days = latestFirst(matching.map((sale) => dayOf(sale, query)));
      const { metadata, data } = await readPage(query);
      expect([metadata.total, data.map((sale) => dayOf(sale, query))], JSON.stringify(query)).toEqual([
        matching.length,
        days.slice(5, 12),
      ]);
      expect(byId(data).size).toBe(data.length);
      for (const sale of data) expect(sale).toEqual(allowed.get(sale.id));
    }
  });

  test("the demo has sales for each filter that should find some, and none for the others", () => {
    for (const query of filters.filter((filter) => !Object.values(filter).includes("nobody"))) {
      const nothing = [utcDay(1), utcDay(-1), "0b9f2c3a-7d14-4b8e-9a55-1c6d2e8f7b40"];
      const some = !Object.values(query).some((value) => nothing.includes(String(value)));
      if ("customer_id" in query && sales[0]?.type === "wholesale") expect(expected(query)).toEqual([]);
      else expect(expected(query).length > 0, JSON.stringify(query)).toBe(some);
    }
  });
});

describe("the other lists, filtered by update days,", () => {
  test.each([
    "/crbs/{crb_id}/customers",
    "/crbs/{crb_id}/products",
    "/crbs/{crb_id}/inventory",
    "/crbs/{crb_id}/inventory-locations",
  ] as const)("return the expected records of %s", async (list) => {
    const { client, path } = clientOf(0);
    const readAll = (query: UpdateFilter) => Array.fromAsync(everyRecord(client, list, { path, query }));
    const all = await readAll({});
    expect(all.length).toBeGreaterThan(0);
    const filters = [-1, 0, 1].flatMap((days): UpdateFilter[] => [
      { last_updated_from: utcDay(days) },
      { last_updated_to: utcDay(days) },
    ]);
    // Locations store their update time but do not return it; all locations of the demo are of today.
    const dayOf = (record: (typeof all)[number]) =>
      ("svc_updated_date" in record && record.svc_updated_date?.slice(0, 10)) || utcDay(0);
    const matching = ({ last_updated_from, last_updated_to }: UpdateFilter) =>
      all.filter((record) => within(dayOf(record), last_updated_from, last_updated_to));
    for (const query of filters) expect(await readAll(query), JSON.stringify(query)).toEqual(matching(query));
    for (const query of pairsOf(filters)) {
      if ((query.last_updated_from ?? "") > (query.last_updated_to ?? "9")) continue;
      const params = { path, query: { ...query, offset: 1, limit: 5 } };
      const { metadata, data } = answerOf(await client.GET(list, { params }));
      const records = matching(query);
      expect([metadata.total, data], JSON.stringify(query)).toEqual([records.length, records.slice(1, 6)]);
    }
  });

  test("the inventory of every location agrees with the inventory of the business", async () => {
    const { client, path } = clientOf(0);
    const [locations, inventory] = await Promise.all([
      Array.fromAsync(everyRecord(client, "/crbs/{crb_id}/inventory-locations", { path })),
      Array.fromAsync(everyRecord(client, "/crbs/{crb_id}/inventory", { path })),
    ]);
    const stockAt = (location_id: string, query: { date?: string } = {}) =>
      Array.fromAsync(
        everyRecord(client, "/crbs/{crb_id}/inventory-locations/{location_id}/inventory", {
          path: { ...path, location_id },
          query,
        }),
      );
    let empty = 0;
    for (const { id } of locations) {
      const records = await stockAt(id);
      const quantities = inventory.flatMap(({ id: inventoryId, location_data: data = [] }) =>
        data.filter(({ location_id }) => location_id === id).map(({ quantity }) => [inventoryId, quantity]),
      );
      expect(Object.fromEntries(records.map((record) => [record.id, record.quantity]))).toEqual(
        Object.fromEntries(quantities),
      );
      if (records.length === 0) empty++;
      expect(await stockAt(id, { date: utcDay(-30) })).toEqual([]);
    }
    expect(empty).toBeGreaterThan(0);
    expect(inventory.some(({ product_id: product }) => product === null)).toBe(true);
  });
});
