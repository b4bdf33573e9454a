import { blazeBatch, blazeMember, blazeProduct, blazeTransaction, shopId } from "./blazeRows.ts";
import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import { latestFirst, localDay, newestFirst, oldestFirst, rooms } from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const base = "/api/v1/partner";
const reject = (status: number, message: string): FakeAnswer => ({ status, body: { error: "Error", message, status } });
const day = 24 * 60 * 60_000;

/**
 * A fake of the part of Blaze that the connector reads (docs/pos/blaze.md): one of two shops of a company. The two
 * share their members. Each other list ends with a row of the other shop.
 */
export class FakeBlaze extends ShopServer {
  readonly credentials = { Authorization: "blaze-developer-key" };
  readonly partnerKeys = { POS_BLAZE_PARTNER_KEY: "blaze-partner-key" };
  /** paths below the base that the key cannot read */
  readonly closed = new Set<string>();
  /** the total that lists report, from the real one */
  totalOf: (count: number) => number | null = (count) => count;
  /** the maximum number of rows of a page */
  maxPageSize = Math.min(100, Math.max(5, Math.ceil(this.shop.products.length / 4)));

  protected answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const { POS_BLAZE_PARTNER_KEY: partnerKey } = this.partnerKeys;
    const isPartner = headers["x-api-key"] === partnerKey || headers.partner_key === partnerKey;
    if (!isPartner || headers.authorization !== this.credentials.Authorization) return reject(401, "Unauthorized");
    const requested = path.startsWith(base) ? path.slice(base.length) : "";
    if (this.closed.has(requested)) return reject(403, "Forbidden");
    const { shop } = this;
    const { views } = shop;
    const [, , id = ""] = requested.split("/");
    switch (requested) {
      case "/store":
        return { body: store };
      case "/store/inventory/inventories":
        return this.#page(rooms, query, ({ uuid, name }) => ({ ...{ id: uuid, shopId, name, active: true } }));
      case "/store/batches": {
        const isFirst = query.get("status") === "RECEIVED";
        const found = views.of("batches", `${isFirst}`, () =>
          [...shop.packages, ...shop.removed].filter(({ number }) => (number % 2 === 0) === isFirst),
        );
        return this.#page(found, query, blazeBatch, { costPerUnit: 777, created: this.now().getTime() });
      }
      case "/products": {
        const found = views.of("products", "", () => shop.products.toSorted(newestFirst));
        return this.#page(found, query, (product) => blazeProduct(product, shop.packagesOf(product)));
      }
      case "/members": {
        const [from, to] = [Number(query.get("startDate")), Number(query.get("endDate"))];
        const found = views.of("members", `${from} ${to}`, () =>
          shop.customers.filter(({ changedAt }) => changedAt >= from && changedAt <= to).toSorted(oldestFirst),
        );
        return this.#page(found, query, blazeMember, null);
      }
      case "/transactions":
        return this.#transactions(query);
      default: {
        const sale = views.of("sales by id", "", () => new Map(shop.sales.map((one) => [one.uuid, one]))).get(id);
        return sale ? { body: blazeTransaction(sale) } : reject(404, "Not found");
      }
    }
  }

  /** At most a week, in the shop's time zone. The lines of some sales are missing in the list. */
  #transactions(query: URLSearchParams): FakeAnswer {
    const [from, to] = ["startDate", "endDate"].map((name) => dayOf(query.get(name) ?? ""));
    if (!from || !to || Date.parse(to) - Date.parse(from) > 6 * day) return reject(400, "Date range is over 7 days");
    const { sales, views } = this.shop;
    const found = views.of("transactions", `${from} ${to}`, () =>
      sales.filter(({ at }) => localDay(at) >= from && localDay(at) <= to).toSorted(latestFirst),
    );
    return this.#page(found, query, (sale) => {
      const row = blazeTransaction(sale);
      return sale.number % 5 === 0 ? { ...row, cart: { ...row.cart, items: undefined } } : row;
    });
  }

  /**
   * Lists below the store count by `start`, the others by `skip`.
   * @param elsewhere fields of the row of the other shop; null for no row
   */
  #page<Row>(
    rows: readonly Row[],
    query: URLSearchParams,
    make: (row: Row) => object,
    elsewhere: object | null = {},
  ): FakeAnswer {
    const skip = Number(query.get("skip") ?? query.get("start") ?? 0);
    const limit = Math.min(this.maxPageSize, Number(query.get("limit") ?? 100));
    const foreign = rows.slice(0, elsewhere ? 1 : 0).map((row) => ({ ...make(row), ...otherShop, ...elsewhere }));
    const total = rows.length + foreign.length;
    const values = [
      ...rows.slice(skip, skip + limit).map(make),
      ...(skip <= rows.length && skip + limit > rows.length ? foreign : []),
    ];
    return { body: { values, skip, limit, total: this.totalOf(total) } };
  }
}

/** The fields that identify a row of the other shop. */
const otherShop = { id: "5ab0ffffffffffffffffffff", shopId: "5ab000000000000000000002" };

const store = {
  shop: {
    id: shopId,
    name: "Greenway",
    address: { address: "412 Pearl Street", addressLine2: "", city: "Boulder", state: "CO", zipCode: "80302" },
    timeZone: "America/Denver",
    active: true,
    onFleetApiKey: "Plantedkey",
  },
  companyLogoURL: "https://images.example.com/logo.png",
};

function dayOf(text: string): string | undefined {
  const [, month, date, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  return year && `${year}-${month}-${date}`;
}
