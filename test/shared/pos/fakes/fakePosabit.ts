import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  posabitCosts,
  posabitCustomer,
  posabitLot,
  posabitManifestItem,
  posabitSale,
  posabitVenue,
} from "./posabitRows.ts";
import { newestFirst, type ShopCustomer, type ShopPackage, type ShopProduct, type ShopSale } from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const reject = (status: number): FakeAnswer => ({ status, body: { error: "Planted" } });

/** A fake of the part of POSaBIT that the connector reads (docs/pos/posabit.md): one venue. */
export class FakePosabit extends ShopServer {
  readonly credentials = { apiToken: "posabit-venue-token" };
  readonly partnerKeys = { POS_POSABIT_INTEGRATOR_TOKEN: "posabit-integrator-token" };
  /** the versions of the API that accept the venue's token */
  readonly versions = new Set(["v2", "v3"]);
  /** lists that the venue does not have, such as `v3/manifest_items` */
  readonly closed = new Set<string>();
  /** whether prices include tax */
  hasTaxInPrices = dice("taxes", this.seed).percent(50);
  readonly #maxPageSize = Math.min(250, Math.max(5, Math.ceil(this.shop.sales.length / 10)));

  protected answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const [, version = "", list = ""] = /^\/(v[23])\/(?:venue\/)?(\w+)$/.exec(path) ?? [];
    const folder = version === "v3" && list === "info" ? "" : "venue/";
    if (path !== `/${version}/${folder}${list}`) return reject(404);
    const { apiToken } = this.credentials;
    const pair = `${this.partnerKeys.POS_POSABIT_INTEGRATOR_TOKEN}:${apiToken}`;
    const expected = version === "v3" ? `Basic ${Buffer.from(pair).toString("base64")}` : `Bearer ${apiToken}`;
    if (headers.authorization !== expected || !this.versions.has(version)) return reject(401);
    if (this.closed.has(`${version}/${list}`)) return reject(404);
    const { shop } = this;
    const isWrapped = version === "v3";
    const since = Date.parse(query.get("q[updated_at_gt]") ?? "1970-01-01T00:00:00Z");
    const isWanted = ({ changedAt }: { changedAt: number }) => changedAt > since;
    switch (list) {
      case "info":
        return { body: { ...(version === "v3" && { status: 200, code: 1 }), ...posabitVenue(this.hasTaxInPrices) } };
      case "customers": {
        const isBound = query.has("start_date") && query.has("end_date");
        if (version === "v3" && !isBound) return reject(422);
        const customers = () => shop.customers.filter(isWanted);
        const make = isWrapped ? (row: ShopCustomer) => ({ customer: posabitCustomer(row) }) : posabitCustomer;
        return this.#page(version, list, `${since}`, customers, query, make);
      }
      case "inventories": {
        const lots = () => [
          ...shop.packages.map((stock) => lotOf(stock.product, stock)),
          ...shop.products.map((product) => lotOf(product, null)),
        ];
        return this.#page(version, "inventory", "", lots, query, ({ product, stock }) => posabitLot(product, stock));
      }
      case "manifest_items": {
        const costs = () => [...shop.packages, ...shop.removed].flatMap(posabitCosts);
        return this.#page(version, list, "", costs, query, posabitManifestItem);
      }
      case "sales_histories": {
        const sales = () => shop.sales.filter((sale) => sale.kind === "retail" && isWanted(sale));
        const make = (sale: ShopSale) => {
          const { items, ...row } = posabitSale(sale, this.hasTaxInPrices);
          // The form of orders in version 3.
          return isWrapped ? { sales_history: row, items } : { ...row, items };
        };
        return this.#page(version, list, `${since}`, sales, query, make);
      }
      default:
        return reject(404);
    }
  }

  /** The latest change first, so that a change between two pages shifts the list. */
  #page<Row extends { number: number; changedAt: number }>(
    version: string,
    property: string,
    key: string,
    find: () => readonly Row[],
    query: URLSearchParams,
    make: (row: Row) => object,
  ): FakeAnswer {
    const per_page = Math.min(this.#maxPageSize, Number(query.get("per_page") ?? 100));
    const page = Number(query.get("page") ?? 1);
    const rows = this.shop.views.of(property, key, () => find().toSorted(newestFirst));
    const found = rows.slice((page - 1) * per_page, page * per_page).map(make);
    const counts = { code: 1, total_records: rows.length, per_page };
    const envelope =
      version === "v3"
        ? { status: 200, ...counts, page }
        : { ...counts, current_page: page, total_pages: Math.ceil(rows.length / per_page) };
    return { body: { ...envelope, [property]: found } };
  }
}

/** A lot's content, and the fields for its place in the list. */
const lotOf = (product: ShopProduct, stock: ShopPackage | null) => ({
  product,
  stock,
  number: (stock ?? product).number,
  changedAt: Math.max(product.changedAt, stock?.changedAt ?? 0),
});
