import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { posabitCosts, posabitCustomer, posabitLot, posabitManifestItem, posabitSale } from "./posabitRows.ts";
import { Shop, type ShopCustomer, type ShopPackage, type ShopProduct, type ShopSize } from "./shop.ts";

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
    const isWanted = ({ changedAt }: { changedAt: number }) => changedAt > since;
    switch (list) {
      case "customers": {
        const isBound = query.has("start_date") && query.has("end_date");
        if (version === "v3" && !isBound) return refuse(422);
        const customers = () => shop.customers.filter(isWanted);
        const make = version === "v3" ? (row: ShopCustomer) => ({ customer: posabitCustomer(row) }) : posabitCustomer;
        return this.#page(list, `${since}`, customers, query, make);
      }
      case "inventories": {
        const lots = () => [
          ...shop.packages.map((stock) => lotOf(stock.product, stock)),
          ...shop.products.map((product) => lotOf(product, null)),
        ];
        return this.#page("inventory", "", lots, query, ({ product, stock }) => posabitLot(product, stock));
      }
      case "manifest_items": {
        const costs = () => [...shop.packages, ...shop.removed].flatMap(posabitCosts);
        return this.#page(list, "", costs, query, posabitManifestItem);
      }
      case "sales_histories": {
        const sales = () => shop.sales.filter((sale) => sale.kind === "retail" && isWanted(sale));
        return this.#page(list, `${since}`, sales, query, posabitSale);
      }
      default:
        return refuse(404);
    }
  }

  /** The latest change first, so that what changes between two pages moves the list. */
  #page<Row extends { number: number; changedAt: number }>(
    property: string,
    key: string,
    find: () => readonly Row[],
    query: URLSearchParams,
    make: (row: Row) => object,
  ): FakeAnswer {
    const size = Math.min(this.#mostPageSize, Number(query.get("per_page") ?? 100));
    const page = Number(query.get("page") ?? 1);
    const rows = this.shop.views.of(property, key, () =>
      find().toSorted((a, b) => b.changedAt - a.changedAt || b.number - a.number),
    );
    const counts = { total_records: rows.length, total_pages: Math.ceil(rows.length / size) };
    const found = rows.slice((page - 1) * size, page * size).map(make);
    return { body: { ...counts, current_page: page, per_page: size, [property]: found } };
  }
}

/** What a lot is made of, and how it stands among others. */
const lotOf = (product: ShopProduct, stock: ShopPackage | null) => ({
  product,
  stock,
  number: (stock ?? product).number,
  changedAt: Math.max(product.changedAt, stock?.changedAt ?? 0),
});
