import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { posabitCustomer, posabitLot, posabitManifestItems, posabitSale } from "./posabitRows.ts";
import { Shop, type ShopSize } from "./shop.ts";

const refuse = (status: number): FakeAnswer => ({ status, body: { error: "Planted" } });

/** A stand-in for POSaBIT, as far as the connector asks it (docs/pos/posabit.md): one venue. */
export class FakePosabit extends FakeServer {
  readonly credentials = { apiToken: "posabit-venue-token" };
  readonly partnerKeys = { POS_POSABIT_INTEGRATOR_TOKEN: "posabit-integrator-token" };
  readonly shop: Shop;
  /** the versions of the API that let the venue's token in */
  readonly versions = new Set(["v2", "v3"]);
  /** lists that it does not have, such as `v3/manifest_items` */
  readonly closed = new Set<string>();
  readonly #mostPageSize: number;

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    this.shop = new Shop(seed, size, () => this.now());
    this.#mostPageSize = Math.min(250, Math.max(5, Math.ceil(size.sales / 10)));
  }

  #answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const [, version = "", list = ""] = /^\/(v[23])\/venue\/(\w+)$/.exec(path) ?? [];
    const { apiToken } = this.credentials;
    const pair = `${this.partnerKeys.POS_POSABIT_INTEGRATOR_TOKEN}:${apiToken}`;
    const expected = version === "v3" ? `Basic ${Buffer.from(pair).toString("base64")}` : `Bearer ${apiToken}`;
    if (headers.authorization !== expected || !this.versions.has(version)) return refuse(401);
    if (this.closed.has(`${version}/${list}`)) return refuse(404);
    const { shop } = this;
    const since = Date.parse(query.get("q[updated_at_gt]") ?? "1970-01-01T00:00:00Z");
    switch (list) {
      case "customers": {
        const isBound = query.has("start_date") && query.has("end_date");
        if (version === "v3" && !isBound) return refuse(422);
        const rows = shop.customers.filter(({ changedAt }) => changedAt > since).map(posabitCustomer);
        return this.#page(list, rows, query, version === "v3" ? (customer) => ({ customer }) : undefined);
      }
      case "inventories": {
        const lots = shop.packages.map((stock) => posabitLot(stock.product, stock));
        return this.#page("inventory", [...lots, ...shop.products.map((product) => posabitLot(product, null))], query);
      }
      case "manifest_items":
        return this.#page(list, [...shop.packages, ...shop.removed].flatMap(posabitManifestItems), query);
      case "sales_histories": {
        const sales = shop.sales.filter(({ kind, changedAt }) => kind === "retail" && changedAt > since);
        return this.#page(list, sales.map(posabitSale), query);
      }
      default:
        return refuse(404);
    }
  }

  /** The latest change first, so that what changes between two pages moves the list. */
  #page<Row extends { id: number; updated_at: string }>(
    property: string,
    rows: readonly Row[],
    query: URLSearchParams,
    wrap: (row: Row) => unknown = (row) => row,
  ): FakeAnswer {
    const size = Math.min(this.#mostPageSize, Number(query.get("per_page") ?? 100));
    const page = Number(query.get("page") ?? 1);
    const sorted = rows.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at) || b.id - a.id);
    const counts = { total_records: rows.length, total_pages: Math.ceil(rows.length / size) };
    const found = sorted.slice((page - 1) * size, page * size).map(wrap);
    return { body: { ...counts, current_page: page, per_page: size, [property]: found } };
  }
}
