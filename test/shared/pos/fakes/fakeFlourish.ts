import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import {
  amountsOf,
  dollars,
  iso,
  rooms,
  Shop,
  type ShopLine,
  type ShopPackage,
  type ShopSale,
  type ShopSize,
} from "./shop.ts";

/** A stand-in for Flourish, as far as the connector asks it (docs/pos/flourish.md): two facilities, the shop is one. */
export class FakeFlourish extends FakeServer {
  readonly credentials = { api_key: "flourish-user:flourish-key" };
  readonly shop: Shop;
  /** paths that the key may not read */
  readonly closed = new Set<string>();
  /** whether stock names its places; areas alone, or nothing otherwise */
  places: "locations" | "areas" | "none" = "locations";

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    this.shop = new Shop(seed, size, () => this.now());
  }

  #answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const expected = Buffer.from(this.credentials.api_key).toString("base64");
    if (headers.authorization !== `Basic ${expected}`) return { status: 401, body: { message: "Unauthorized" } };
    if (this.closed.has(path)) return { status: 403, body: { message: "Forbidden" } };
    if (path === "/v1/facilities") return page(facilities, query, (facility) => facility);
    if (headers.facilityid !== "501") return { status: 400, body: { message: "FacilityID" } };
    const { shop } = this;
    const since = Date.parse(query.get("last_updated_timestamp_start") ?? "1970-01-01T00:00:00Z");
    const changed = <Row extends { changedAt: number; number: number }>(
      rows: readonly Row[],
      isWanted = (_: Row) => true,
    ) =>
      shop.views.of(path, `${since}`, () =>
        rows
          .filter((row) => row.changedAt > since && isWanted(row))
          .toSorted((a, b) => a.changedAt - b.changedAt || a.number - b.number),
      );
    switch (path) {
      case "/v1/items":
        return page(changed(shop.products), query, ({ number, name, kind, price, cost, changedAt }) => ({
          id: String(number),
          item_name: name,
          sku: `SKU-${number}`,
          item_description: null,
          inventory_type: kind === "accessory" ? "Supplies" : "Cannabis",
          item_category: kind,
          item_class: "Finished",
          strain_name: kind === "flower" ? "Gelato" : null,
          brand: number % 2 === 0 ? "Example Farms" : { name: "Example Farms" },
          price: dollars(price),
          cost: dollars(cost),
          uom: "EA",
          unit_weight: kind === "flower" ? 3.5 : null,
          weight_uom: "g",
          last_updated_timestamp: iso(changedAt),
        }));
      case "/v1/destinations":
        return page(changed(shop.customers), query, (customer) => ({
          id: String(customer.number),
          name: customer.lastName,
          license_number: customer.license,
          company_email: customer.email,
          company_phone_number: customer.phone,
          address_line_1: customer.street,
          city: "Boulder",
          state: "CO",
          zip_code: "80302",
          notes: `Plantednote${customer.number}`,
        }));
      case "/v1/inventory":
        return page(shop.packages, query, (stock) => this.#stock(stock));
      case "/v1/outbound-orders":
        return page(changed(shop.sales, isOrder), query, order);
      default:
        return { status: 404, body: { message: "no such path" } };
    }
  }

  /** A package lies in one place here. */
  #stock({ number, tag, product, quantities, changedAt }: ShopPackage) {
    const room = rooms[number % rooms.length] ?? rooms[0];
    const hasLocation = this.places === "locations";
    const area = this.places === "none" ? null : room;
    return {
      inventory_id: String(number),
      item_id: String(product.number),
      item_name: product.name,
      sku: `SKU-${product.number}`,
      package_id: tag,
      package_status: "Created",
      qty: [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0),
      location_id: hasLocation ? room.uuid : null,
      location_name: hasLocation ? room.name : null,
      area_id: area?.uuid ?? null,
      area_name: area?.name ?? null,
      last_updated_timestamp: iso(changedAt),
    };
  }
}

const facilities = [
  {
    id: "501",
    facility_name: "Boulder",
    address_line_1: "412 Pearl Street",
    city: "Boulder",
    state: "CO",
    zip_code: "80302",
  },
  { id: "502", facility_name: null, alias: "Denver", city: "Denver", state: "CO", timezone: "America/Denver" },
];

/** What comes back is told by the order alone. */
const isOrder = ({ kind, original }: ShopSale) => kind === "retail" && original === null;

/** Flourish knows no voids: what is voided elsewhere is shipped here. */
const statuses = { sold: "Shipped", voided: "Shipped", pending: "Allocated", canceled: "Cancelled" } as const;

function order(sale: ShopSale) {
  const { number, customer, status, at, changedAt, lines } = sale;
  const { discount, tax, net, fee, total } = amountsOf(sale);
  return {
    id: String(number),
    original_order_id: `SO-${number}`,
    order_status: statuses[status],
    order_timestamp: iso(at - 60_000),
    shipped_timestamp: status === "pending" ? null : iso(at),
    sub_total_price: dollars(net),
    taxes: dollars(tax),
    total_charges: 0,
    delivery_fee: dollars(fee),
    total_discounts: dollars(discount),
    total_price: dollars(total),
    total_paid: String(dollars(total)),
    payment_status: "Paid",
    destination: customer && { id: String(customer.number), name: "Planted Buyer" },
    order_lines: lines.map(line),
    notes: `Plantednote${number}`,
    last_updated_timestamp: iso(changedAt),
  };
}

function line({ product, quantity, price, discount }: ShopLine) {
  return {
    item_id: String(product.number),
    item_name: product.name,
    order_qty: quantity,
    item_uom: "EA",
    unit_price: dollars(price),
    discount_price: dollars(discount),
    line_total_price: dollars(price * quantity - discount),
    qty_returned: 0,
  };
}

function page<Row>(rows: readonly Row[], query: URLSearchParams, make: (row: Row) => object): FakeAnswer {
  const offset = Number(query.get("offset") ?? 0);
  const limit = Math.min(50, Number(query.get("limit") ?? 50));
  const data = rows.slice(offset, offset + limit).map(make);
  const meta = {
    total: rows.length,
    offset,
    limit,
    count: data.length,
    next: offset + limit < rows.length ? "next" : "",
  };
  return { body: { message: "", status: 200, meta, data } };
}
