import { beforeAll, describe, expect, test } from "vitest";
import type { operations } from "../../clients/typescript/openApi.ts";
import type { Stage } from "../../infra/local/stage.ts";
import { answerOf } from "../client/answerOf.ts";
import { type ApiClient, apiClient, everyRecord } from "../client/apiClient.ts";
import { useStage } from "./useStage.ts";

const { stage } = useStage();
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

/** Each filter combined with each other one, and alone. */
const pairsOf = <Each extends Filter>(filters: Each[]): Each[] =>
  filters.flatMap((first, i) => filters.slice(i).map((second) => ({ ...first, ...second })));

const within = (day: string, from?: string, to?: string) => (!from || day >= from) && (!to || day <= to);

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
