import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  amountsOf,
  dollars,
  iso,
  latestFirst,
  rooms,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
} from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const locationId = 1000;
const otherLocationId = 1001;
const day = 24 * 60 * 60_000;

/**
 * A fake of the part of Alleaves that the connector reads (docs/pos/alleaves.md): two locations, one of them the shop.
 * Locations and batches have the form of captured rows (C), orders that of client code (C), with assumed statuses (A). An
 * order has a row for each unit, whose `id_item` is an id of its own.
 */
export class FakeAlleaves extends ShopServer {
  readonly credentials = { username: "buyer@example.com", password: "alleaves password, with blanks" };
  /** valid tokens, each with its end (milliseconds of the machine's clock) */
  readonly tokens = new Map<string, number>();
  tokenSeconds = 24 * 60 * 60;
  /** the way in which a user signs in */
  signsInBy: "json" | "basic" = "json";
  /** the number of the first page, and the response to page 0 if that number is 1 */
  firstPage: 0 | 1 = 1;
  pageZero: "refused" | "empty" | "first" = "refused";
  /** whether pages beyond the last one repeat it */
  repeatsLastPage = false;
  /** whether there is another location */
  hasOther = true;
  /** whether orders have their location */
  tellsLocation = true;

  protected answer(request: FakeRequest): FakeAnswer {
    const { method, path, query, headers, body } = request;
    if (method === "POST" && path === "/auth") return this.#signIn(request);
    const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
    if ((this.tokens.get(token) ?? 0) <= performance.now()) return { status: 401, body: { message: "Unauthorized" } };
    const { shop } = this;
    switch (`${method} ${path}`) {
      case "GET /location":
        return { body: locations.slice(0, this.hasOther ? 2 : 1) };
      case "GET /inventory/area":
        return { body: areas };
      case "POST /inventory/search": {
        const { id_location } = JSON.parse(body);
        return { body: id_location === locationId ? this.#batches() : [] };
      }
      case "POST /customer/search": {
        const { page, pageSize } = JSON.parse(body);
        const customers = shop.views.of("customers", "", () => [...shop.customers]);
        return this.#page(customers, page, pageSize, (customer) => ({
          id_customer: customer.number,
          name_first: customer.firstName,
          name_last: customer.lastName,
          email: customer.email,
          phone: customer.phone,
          date_of_birth: customer.dob,
          loyalty_points: customer.points,
          date_created: iso(customer.createdAt),
          notes: `Plantednote${customer.number}`,
        }));
      }
      case "GET /order": {
        // Without days, the list is empty.
        const [from, to] = [query.get("startDate") ?? "2099-01-01", query.get("endDate") ?? "2099-01-01"];
        const [begin, end] = [Date.parse(from), Date.parse(to) + day];
        const isWanted = ({ at }: ShopSale) => at >= begin && at < end;
        const found = shop.views.of("orders", `${from} ${to} ${this.hasOther}`, () =>
          shop.sales
            .filter((sale) => isWanted(sale) && sale.original === null)
            .toSorted(latestFirst)
            .flatMap((sale) => (sale.kind === "retail" ? [{ sale }] : this.#strangeOrders(sale))),
        );
        return this.#page(found, Number(query.get("page")), Number(query.get("pageSize")), ({ sale, more = {} }) => ({
          ...order(sale, this.tellsLocation),
          ...more,
        }));
      }
      default:
        return { status: 404, body: { message: "Not found" } };
    }
  }

  /** Accepts JSON, or Basic without a body. */
  #signIn({ headers, body }: FakeRequest): FakeAnswer {
    const { username, password } = this.credentials;
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const isJson = headers["content-type"] === "application/json";
    const sent = isJson ? JSON.parse(body) : {};
    const isIn =
      this.signsInBy === "json"
        ? sent.username === username && sent.password === password
        : headers.authorization === basic && body === "";
    if (!isIn) return { status: 401, body: { error: `No user ${sent.username}` } };
    const exp = Math.floor(this.now().getTime() / 1000) + this.tokenSeconds;
    const parts = [{ alg: "HS256" }, { id_user: 7, exp }, this.tokens.size];
    const token = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    this.tokens.set(token, performance.now() + this.tokenSeconds * 1000);
    return { body: { id_user: 7, username, id_company: 3, company: "Planted Company", token } };
  }

  #page<Row>(all: readonly Row[], page: number, size: number, make: (row: Row) => object): FakeAnswer {
    if (page < this.firstPage && this.pageZero === "refused") return { status: 400, body: { error: "page" } };
    if (page < this.firstPage && this.pageZero === "empty") return { body: [] };
    const last = this.repeatsLastPage ? Math.max(0, Math.ceil(all.length / size) - 1) : Number.POSITIVE_INFINITY;
    const start = Math.min(last, Math.max(0, page - this.firstPage)) * size;
    return { body: all.slice(start, start + size).map(make) };
  }

  /** Two orders in place of a sale that is not retail: one of unknown status, one of the other location. */
  #strangeOrders(sale: ShopSale): { sale: ShopSale; more?: object }[] {
    const disputed = { sale, more: { complete: true, status: "Disputed" } };
    const elsewhere = { sale, more: { id_order: 5_000_000 + sale.number, id_location: otherLocationId } };
    return this.hasOther ? [disputed, elsewhere] : [disputed];
  }

  /** The number of rows that a search of the inventory returns. */
  get batchCount(): number {
    return this.#batches().length;
  }

  /** One row per package and area. Removed packages and products without packages have a closed row each. */
  #batches() {
    const { packages, removed, products } = this.shop;
    const open = packages.flatMap((stock) => rooms.map((room) => batch(stock.product, stock, room)));
    const closed = removed.map((stock) => batch(stock.product, stock));
    const known = new Set([...packages, ...removed].map(({ product }) => product));
    const rest = products.filter((product) => !known.has(product)).map((product) => batch(product));
    const elsewhere = this.hasOther ? packages.slice(0, 1).map(batchOfOther) : [];
    const rows = [...open, ...closed, ...rest, ...products.slice(0, 1).map(quarantinedBatch), ...elsewhere];
    return rows.map((row) => ({ ...row, total_rows: rows.length }));
  }
}

const secrets = { metrc_system_api_key: "Plantedmetrckey", vt_client_secret: "Plantedsecret" };
const address = { address: "412 Pearl Street", city: "Boulder", state: "CO", postal_code: "80302" };
const locations = [
  { id_location: locationId, reference: "Boulder", legal_name: "Greenway LLC", ...address, active: true, ...secrets },
  { id_location: otherLocationId, reference: "", legal_name: "Denver LLC", timezone: "America/Denver", ...secrets },
];

const areas = [
  ...rooms.map(({ number, name }) => ({ id_area: number, id_location: locationId, name, path: name, deleted: false })),
  { id_area: 13, id_location: locationId, name: "Old Vault", path: "Old Vault", deleted: true },
  { id_area: 14, id_location: otherLocationId, name: "Denver Vault", path: "Denver Vault", deleted: false },
];

/** The weight of a unit, or the dose of an edible. */
const weights = {
  flower: { weight_useable: 3.5, weight_useable_uom: "Gram" },
  edible: { weight_useable: 100, weight_useable_uom: "Milligrams" },
  vape: { weight_useable: 500, weight_useable_uom: "Milligrams" },
  accessory: { weight_useable: 0, weight_useable_uom: "Gram" },
};

/** @param stock a present or removed package; none for a product that never had any */
function batch(product: ShopProduct, stock?: ShopPackage, room?: (typeof rooms)[number]) {
  const quantity = (room && stock?.quantities.get(room.number)) ?? 0;
  return {
    id_location: locationId,
    id_item: product.number,
    id_batch: stock?.number ?? 1_000_000 + product.number,
    item: product.name,
    sku: `SKU-${product.number}`,
    brand: "Example Farms",
    category: product.kind === "accessory" ? "Category > Accessory" : `Category > ${product.kind} > House`,
    strain: product.kind === "flower" ? "Gelato" : null,
    is_cannabis: product.kind !== "accessory",
    uom: "Each",
    ...weights[product.kind],
    price_retail_adult_use: product.number % 2 === 0 ? dollars(product.price) : 0,
    price_retail_medical_use: product.number % 2 === 0 ? 0 : dollars(product.price),
    price_retail: 0,
    price_otd_adult_use: dollars(Math.round(product.price * 1.15)),
    cost_of_good: dollars(product.cost),
    on_hand: quantity,
    available: Math.max(0, quantity - 1),
    batch: `B-${stock?.number ?? product.number}`,
    metrc_package_label: stock && stock.number % 4 !== 0 ? stock.tag : null,
    description: `Description of ${product.name}`,
    image_url: product.number % 3 === 0 ? null : `https://images.example.com/${product.number}.png`,
    id_area: room?.number ?? null,
    area: room?.name ?? null,
    status: room ? (product.number % 2 === 0 ? "open" : "Open") : "closed",
    deleted: false,
    date_updated: iso(product.changedAt),
    batch_date_updated: stock && iso(stock.changedAt),
    vendor_contact: "Plantedvendor",
  };
}

/** The other location's part of a batch, which is returned although it is not requested. */
function batchOfOther(stock: ShopPackage) {
  const elsewhere = { id_location: otherLocationId, id_area: 14, area: "Denver Vault", status: "open", on_hand: 500 };
  return { ...batch(stock.product, stock), ...elsewhere, item: "Of Denver", date_updated: "2099-01-01T00:00:00.000Z" };
}

/** A batch of unknown status, which may or may not be stock. */
function quarantinedBatch(product: ShopProduct) {
  return { ...batch(product), id_batch: 2_000_000 + product.number, status: "quarantined", on_hand: 7 };
}

/** An order that is marked as void keeps its status. */
const statuses = { sold: "complete", voided: "Completed", pending: "open", canceled: "Cancelled" } as const;

function order(sale: ShopSale, tellsLocation: boolean) {
  const { number, customer, status, at, lines } = sale;
  const rows = lines.flatMap(({ product, quantity, price }) =>
    Array.from({ length: quantity }, () => ({
      id_inventory_item: product.number,
      id_batch: 1_000_000 + product.number,
      item: product.name,
      price: dollars(number % 5 === 0 ? price + 100 : price),
      price_override: number % 5 === 0 ? dollars(price) : null,
    })),
  );
  return {
    id_order: number,
    ...(tellsLocation && { id_location: locationId }),
    id_customer: customer?.number ?? -1,
    type: "retail",
    use_type: customer?.medicalId ? "medical" : "adult",
    date_created: iso(at),
    total: dollars(amountsOf(sale).total),
    complete: status === "sold" || status === "voided",
    void: status === "voided",
    cancel: status === "canceled",
    // The flag alone marks some canceled orders.
    status: status === "canceled" && number % 2 === 0 ? null : statuses[status],
    paid_in_full: status === "sold" || status === "voided",
    patient_number: customer?.medicalId ?? null,
    items: rows.map((row, at) => ({ id_item: number * 100 + at, ...row })),
    budtender: "Plantedstaff",
  };
}
