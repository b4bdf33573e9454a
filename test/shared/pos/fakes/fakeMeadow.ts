import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  meadowCustomer,
  meadowOrder,
  meadowOrganizationId,
  meadowPackage,
  meadowPaymentTypes,
  meadowProduct,
  meadowReturn,
} from "./meadowRows.ts";
import { latestFirst, newestFirst, oldestFirst, rooms, type ShopPackage, type ShopSale } from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const reject = (status: number, code: string): FakeAnswer => ({ status, body: { error: { code, message: code } } });

/**
 * A fake of the part of Meadow that the connector reads (docs/pos/meadow.md): one organization. Rows have the form of the
 * examples in the vendor's documents (D). Assumption (A): the statuses of errors.
 */
export class FakeMeadow extends ShopServer {
  readonly credentials = { clientKey: "meadow-client-key" };
  readonly partnerKeys = { POS_MEADOW_CONSUMER_KEY: "meadow-consumer-key" };
  /** paths that the key cannot read */
  readonly closed = new Set<string>();
  /** numbers of voided returns */
  readonly voided = new Set<number>();
  /** whether the shop's stock is in packages, or counted by option or product */
  stock: "package" | "option" | "product" | "none" = "package";
  readonly #pageSize = Math.min(50, Math.max(5, Math.ceil(this.shop.sales.length / 10)));
  /** packages of unknown status */
  readonly #lost = this.shop.packages
    .slice(0, 1)
    .map((stock): ShopPackage => ({ ...stock, number: 900_001, changedAt: this.now().getTime() }));

  protected answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const isService = headers["x-consumer-key"] === this.partnerKeys.POS_MEADOW_CONSUMER_KEY;
    if (!isService || headers["x-client-key"] !== this.credentials.clientKey) {
      return reject(401, "INVALID_API_CREDENTIALS");
    }
    if (this.closed.has(path)) return reject(403, "INSUFFICIENT_PERMISSIONS");
    const { shop } = this;
    switch (path) {
      case "/api/v1/organization":
        return success({ id: meadowOrganizationId, name: "Greenway", state: "CO" });
      case "/api/v1/inventory-locations":
        return success(rooms.map(({ number, name }) => ({ id: number, name, type: "standard" })));
      case "/api/v1/payment-types":
        return success(meadowPaymentTypes);
      case "/api/v1/products/all":
        return success(shop.products.map((product) => meadowProduct(product, shop.packagesOf(product), this.stock)));
      case "/api/v1/customers": {
        const find = () => shop.customers.toSorted(newestFirst);
        return success(this.#behind("customers", find, query, ({ number }) => number).map(meadowCustomer));
      }
      case "/api/v1/packages":
        return success(this.#packages(query));
      case "/api/v1/orders":
        return success(this.#orders(query).map(meadowOrder));
      case "/api/v1/order-returns":
        return success(this.#returns(query).map((sale) => meadowReturn(sale, this.voided.has(sale.number))));
      default:
        return reject(404, "NOT_FOUND");
    }
  }

  /** Fulfilled orders by that date, or all by their creation. Orders of unknown status are always included. */
  #orders(query: URLSearchParams): ShopSale[] {
    const find = () => this.shop.sales.filter(({ original }) => original === null).toSorted(latestFirst);
    const isWanted = ({ status }: ShopSale) =>
      query.get("fulfilledOnly") !== "true" || status === "sold" || status === "voided";
    return this.#behind("orders", find, query, ({ number }) => `order-${number}`, isWanted);
  }

  #returns(query: URLSearchParams): ShopSale[] {
    const isWanted = ({ number }: ShopSale) => this.voided.has(number) === (query.get("voided") === "true");
    const find = () =>
      this.shop.sales.filter(({ kind, original }) => kind === "retail" && original !== null).toSorted(latestFirst);
    return this.#behind("returns", find, query, ({ number }) => number, isWanted);
  }

  /** Oldest change first. Removed packages are finished, and one has an unknown status. */
  #packages(query: URLSearchParams) {
    if (this.stock !== "package") return [];
    const { packages, removed, views } = this.shop;
    const found = views.of("packages", "", () => [...this.#lost, ...packages, ...removed].toSorted(oldestFirst));
    const since = Date.parse(query.get("startingAfterUpdatedAt")?.replace(" ", "T").concat(":00") ?? "");
    const after = Number(query.get("startingAfterId"));
    const isWanted = ({ changedAt, number }: ShopPackage) =>
      Number.isNaN(since) || changedAt > since || (changedAt === since && number > after);
    // All rows after the first wanted one are wanted, because of the order.
    const start = found.findIndex(isWanted);
    const wanted = start === -1 ? [] : found.slice(start, start + this.#pageSize);
    const statusOf = (stock: ShopPackage) => {
      if (this.#lost.includes(stock)) return "lost";
      if (removed.includes(stock)) return "finished";
      return stock.number % 2 === 0 ? "received" : "Received";
    };
    return wanted.map((stock) => meadowPackage(stock, statusOf(stock)));
  }

  /** A page of rows after the given row, wherever it is now, even if that row is not wanted. */
  #behind<Row>(
    name: string,
    find: () => readonly Row[],
    query: URLSearchParams,
    idOf: (row: Row) => string | number,
    isWanted: (row: Row) => boolean = () => true,
  ): Row[] {
    const { views } = this.shop;
    const rows = views.of(name, "", find);
    const places = views.of(rows, "places", () => new Map(rows.map((row, place) => [String(idOf(row)), place])));
    const page: Row[] = [];
    for (let place = (places.get(query.get("startingAfter") ?? "") ?? -1) + 1; place < rows.length; place++) {
      const row = rows[place] as Row;
      if (isWanted(row) && page.push(row) >= this.#pageSize) break;
    }
    return page;
  }
}

function success(data: unknown): FakeAnswer {
  return { body: { data } };
}
