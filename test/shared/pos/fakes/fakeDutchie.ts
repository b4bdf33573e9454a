import { dutchieCustomer, dutchiePackage, dutchieProduct, dutchieRoom, dutchieTransaction } from "./dutchieRows.ts";
import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { oldestFirst, rooms, Shop, type ShopSize } from "./shop.ts";

/** A Dutchie location of the fake: a shop, and its key. */
export interface FakeDutchieLocation {
  key: string;
  locationId: number;
  /** the company; locations of one company share it */
  lspId: number;
  shop: Shop;
  /** paths for which the key has no role */
  closed: Set<string>;
}

/**
 * A fake of the part of Dutchie POS that the connector reads (docs/pos/dutchie.md). It has one location with the key
 * `rec-key`; `addLocation` adds more. Customers are ordered by their change, so that pages shift when one changes.
 */
export class FakeDutchie extends FakeServer {
  readonly credentials = { recApiKey: "rec-key" };
  readonly locations: FakeDutchieLocation[] = [];
  /** the maximum number of rows of a page of customers */
  maxPageSize: number;
  /** the response to page 0 of customers if pages are counted from 1; otherwise the first page */
  pageZero: "first" | "refused" | "empty" | "same as page 1" = "first";
  readonly #seed: number | string;
  readonly #size: ShopSize;

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    this.#seed = seed;
    this.#size = size;
    // Small lists have several pages too.
    this.maxPageSize = size.sales > 1000 ? 10_000 : 10;
    this.addLocation("rec-key", 4101);
  }

  /** The first location's shop. */
  get shop(): Shop {
    return (this.locations[0] as FakeDutchieLocation).shop;
  }

  addLocation(key: string, locationId: number, shared: Partial<FakeDutchieLocation> = {}): FakeDutchieLocation {
    const shop = new Shop(`${this.#seed} ${locationId}`, this.#size, () => this.now());
    const location = { key, locationId, lspId: 77, shop, closed: new Set<string>(), ...shared };
    this.locations.push(location);
    return location;
  }

  #answer({ path, query, headers }: FakeRequest): FakeAnswer {
    if (!headers["user-agent"]) return { status: 403, body: "error code: 1010" };
    const [scheme, encoded = ""] = headers.authorization?.split(" ") ?? [];
    const [key] = Buffer.from(encoded, "base64").toString().split(":");
    const location = this.locations.find((known) => known.key === key);
    if (scheme !== "Basic" || !location) return { status: 401 };
    if (location.closed.has(path)) return { status: 403, body: { message: "role missing" } };
    const { shop } = location;
    const changedAfter = after(query, "fromlastmodifieddateutc");
    switch (path) {
      case "/whoami":
        return { body: identity(location) };
      case "/room/rooms":
        return { body: rooms.map(dutchieRoom) };
      case "/customer/customer-types":
        return {
          body: [
            { id: 1, name: "Adult Use", isMedical: false, isRetail: true },
            { id: 2, name: "Medical Patient", isMedical: true, isRetail: false },
          ],
        };
      case "/reporting/loyalty-snapshot":
        return { body: this.#loyalty(shop) };
      case "/reporting/customers-paginated":
      case "/customer/customers-paginated":
        return this.#customers(shop, query, changedAfter);
      case "/reporting/products":
      case "/products":
        return { body: shop.products.filter(({ changedAt }) => changedAt > changedAfter).map(dutchieProduct) };
      case "/reporting/inventory":
      case "/inventory": {
        const withRooms = lower(query).get("includeroomquantities") === "true";
        return { body: shop.packages.map((stock) => dutchiePackage(stock, withRooms)) };
      }
      case "/reporting/transactions":
        return transactions(shop, query);
      default:
        return { status: 404, body: { message: "no such path" } };
    }
  }

  /** Totals as of the last midnight. */
  #loyalty({ customers }: Shop) {
    const midnight = new Date(this.now()).setUTCHours(0, 0, 0, 0);
    const known = customers.filter(({ createdAt }) => createdAt < midnight);
    return known.map(({ number, points }) => ({ customerId: number, loyaltyBalance: points / 4 }));
  }

  #customers({ customers, views }: Shop, query: URLSearchParams, changedAfter: number): FakeAnswer {
    const given = lower(query);
    const size = Number(given.get("pagesize") ?? 1000);
    if (size > 10_000) return { status: 400, body: { message: "PageSize", propertyErrors: [] } };
    const rows = Math.min(size, this.maxPageSize);
    const number = Number(given.get("pagenumber") ?? 0);
    if (number === 0 && this.pageZero === "refused") return { status: 400, body: { message: "PageNumber" } };
    if (number === 0 && this.pageZero === "empty") return { body: [] };
    const start = Math.max(0, number - (this.pageZero === "first" ? 0 : 1)) * rows;
    const ordered = views.of("customers", `${changedAfter}`, () =>
      customers.filter(({ changedAt }) => changedAt > changedAfter).toSorted(oldestFirst),
    );
    return { body: ordered.slice(start, start + rows).map(dutchieCustomer) };
  }
}

function identity({ locationId, lspId }: FakeDutchieLocation) {
  return {
    locationId,
    lspId,
    locationName: `Location ${locationId}`,
    lspName: "Planted Holdings",
    address: "412 Pearl Street",
    address2: null,
    city: "Boulder",
    state: "CO",
    postalCode: "80302",
  };
}

function transactions({ sales }: Shop, query: URLSearchParams): FakeAnswer {
  const given = lower(query);
  const groups = [
    ["transactionid"],
    ["fromlastmodifieddateutc", "tolastmodifieddateutc"],
    ["fromdateutc", "todateutc"],
  ];
  if (groups.filter((names) => names.some((name) => given.has(name))).length !== 1) {
    return { status: 400, body: { isValid: false, errors: [{ propertyName: "FromDateUTC" }], ruleSetsExecuted: [] } };
  }
  const isSpan = given.has("fromdateutc");
  const [from, to] = isSpan
    ? [after(query, "fromdateutc"), before(query, "todateutc")]
    : [after(query, "fromlastmodifieddateutc"), before(query, "tolastmodifieddateutc")];
  if (isSpan && to - from > 1440 * 60 * 60_000) return { status: 400, body: { isValid: false, errors: [] } };
  const found = sales.filter(({ at, changedAt, status }) => {
    const date = isSpan ? at : changedAt;
    return date > from && date < to && status !== "canceled";
  });
  const withDetail = given.get("includedetail") === "true";
  return { body: found.map((sale) => dutchieTransaction(sale, withDetail)) };
}

/** Both ends are exclusive. Texts without a zone are UTC. */
function after(query: URLSearchParams, name: string): number {
  return Date.parse(lower(query).get(name) ?? "1970-01-01T00:00:00Z");
}

function before(query: URLSearchParams, name: string): number {
  return Date.parse(lower(query).get(name) ?? "2999-01-01T00:00:00Z");
}

/** Parameter names may have any letter case. Unknown ones are ignored. */
function lower(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].map(([name, value]) => [name.toLowerCase(), value] as [string, string]));
}
