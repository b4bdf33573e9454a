import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { type FlowhubStoreIds, flowhubCustomer, flowhubOrder, flowhubStock } from "./flowhubRows.ts";
import { oldestFirst, Shop, type ShopSize } from "./shop.ts";
import { Views } from "./views.ts";

/** A store of the fake's client. Its orders are requested with `importId`. */
export interface FakeFlowhubStore extends FlowhubStoreIds {
  name: string;
  shop: Shop;
}

const pair = { clientId: "5d3c6f00-0000-4000-8000-00000000c11e", key: "5d3c6f00-0000-4000-8000-0000000000e7" };

const rowsWithRooms = new Set([
  "InventoryAnalyticsByRooms",
  "AnalyticsByRooms",
  "inventoryByRoomsNonZero",
  "inventoryByRooms",
]);

/** The meaning of a filter's days: midnights in UTC, whole days in UTC, or whole days in the store's time zone. */
export type FlowhubDays = "midnights in UTC" | "days in UTC" | "days of the store";

/**
 * A fake of the part of Flowhub that the connector reads (docs/pos/flowhub.md): a client with two stores. Lists of
 * stock and of orders have the rows of both stores for every request (C). Rows have the form of the vendor's schemas (D).
 * Seen in client code (C): the path `AnalyticsByRooms`, the size of pages, and both readings of the filter's days.
 */
export class FakeFlowhub extends FakeServer {
  readonly credentials = pair;
  readonly stores: FakeFlowhubStore[];
  /** endpoints that the client cannot read or that do not exist, by the last part of their paths */
  readonly closed = new Map<string, 401 | 403 | 404>();
  /** the envelope of a list of customers */
  customerEnvelope: "data" | "customers" | "none" = "data";
  /** whether lists have the number of rows of all pages */
  hasTotals = true;
  days: FlowhubDays = "midnights in UTC";
  readonly timeZone = "US/Mountain";
  /** views of both shops */
  readonly #views = new Views();

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    const other = { customers: 3, products: 2, packages: 2, sales: 5 };
    const shopOf = (from: number | string, large: ShopSize) => new Shop(from, large, () => this.now(), this.#views);
    this.stores = [
      { locationId: "loc-1", importId: "imp-1", name: "Boulder", shop: shopOf(seed, size) },
      { locationId: "loc-2", importId: "imp-2", name: "Denver", shop: shopOf(`${seed} 2`, other) },
    ];
  }

  /** The first store's shop. */
  get shop(): Shop {
    return (this.stores[0] as FakeFlowhubStore).shop;
  }

  #answer(request: FakeRequest): FakeAnswer {
    const { path, query, headers } = request;
    if (headers.clientid !== pair.clientId || headers.key !== pair.key) return { status: 401, body: "Unauthorized" };
    const parts = path.split("/").filter(Boolean);
    const closed = this.closed.get(parts.at(-1) ?? "");
    if (closed) return { status: closed, body: "not for you" };
    if (path === "/v0/clientsLocations")
      return { body: { status: 200, data: this.stores.map((store) => this.#store(store)) } };
    const dates = ["created_after", "created_before", "updated_after", "updated_before"];
    if (dates.some((name) => query.has(name) && !/^\d{4}-\d\d-\d\d$/.test(query.get(name) ?? ""))) {
      return { status: 404, body: "date must be in format yyyy-mm-dd" };
    }
    if (path.startsWith("/v0/locations/")) return this.#stock(parts);
    if (path === "/v1/customers/") return this.#customers(query);
    if (path.startsWith("/v1/customers/")) return this.#customer(parts[2] ?? "");
    if (path.startsWith("/v1/orders/findByLocationId/")) return this.#orders(parts[3] ?? "", query);
    return { status: 404, body: "no such path" };
  }

  #store({ locationId, importId, name }: FakeFlowhubStore) {
    return {
      locationId,
      importId,
      locationName: name,
      clientId: pair.clientId,
      timeZone: this.timeZone,
      address: { streetAddress1: "412 Pearl Street", city: name, state: "Colorado", zip: "80302" },
    };
  }

  #stock([, , locationId, endpoint = ""]: string[]): FakeAnswer {
    const store = this.stores.find((known) => known.locationId === locationId);
    if (!store) return { status: 404, body: "no such location" };
    const rows = flowhubStock(this.stores, store, rowsWithRooms.has(endpoint), endpoint.endsWith("NonZero"));
    return { body: { status: 200, data: rows } };
  }

  /** Ordered by their change, so that pages shift when one changes. */
  #customers(query: URLSearchParams): FakeAnswer {
    const since = query.get("updated_after") ?? "";
    const found = this.#views.of("customers", since, () =>
      this.stores
        .flatMap(({ shop }) => shop.customers)
        .filter(({ changedAt }) => this.#isBetween(changedAt, since, "9999-12-31"))
        .toSorted(oldestFirst),
    );
    const customers = page(found, query).map(flowhubCustomer);
    return { body: this.customerEnvelope === "none" ? customers : { [this.customerEnvelope]: customers } };
  }

  #customer(id: string): FakeAnswer {
    const byId = this.#views.of("customers by id", "", () => {
      const customers = this.stores.flatMap(({ shop }) => shop.customers);
      return new Map(customers.map((customer) => [customer.uuid, customer]));
    });
    const found = byId.get(id);
    return found ? { body: flowhubCustomer(found) } : { status: 404, body: "no such customer" };
  }

  #orders(importId: string, query: URLSearchParams): FakeAnswer {
    const store = this.stores.find((known) => known.importId === importId);
    if (!store) return { status: 404, body: "no such location" };
    const [from, to] = [query.get("created_after") ?? "", query.get("created_before") ?? "9999-12-31"];
    const sign = query.get("order_by") === "desc" ? -1 : 1;
    const found = this.#views.of("orders", `${from} ${to} ${sign} ${this.days}`, () =>
      this.stores
        .flatMap((of) => of.shop.sales.map((sale) => ({ sale, of })))
        .filter(({ sale: { at, kind } }) => kind === "retail" && this.#isBetween(at, from, to))
        .toSorted((a, b) => (a.sale.at - b.sale.at || a.sale.number - b.sale.number) * sign),
    );
    const orders = page(found, query).map(({ sale, of }) => flowhubOrder(sale, of, of === store));
    return { body: { ...(this.hasTotals && { total: found.length }), orders } };
  }

  /** Whether an instant is in the days of a filter. The store's time zone is seven hours behind UTC. */
  #isBetween(instant: number, from: string, to: string): boolean {
    const at = new Date(instant - (this.days === "days of the store" ? 7 * 60 * 60_000 : 0)).toISOString();
    return this.days === "midnights in UTC" ? at >= from && at < to : at.slice(0, 10) >= from && at.slice(0, 10) <= to;
  }
}

function page<Row>(rows: readonly Row[], query: URLSearchParams): Row[] {
  const size = Number(query.get("page_size") ?? 100);
  const start = (Number(query.get("page") ?? 1) - 1) * size;
  return rows.slice(start, start + size);
}
