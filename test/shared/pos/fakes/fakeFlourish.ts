import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import {
  amountsOf,
  dollars,
  iso,
  oldestFirst,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopSale,
  unitsIn,
} from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

/**
 * A fake of the part of Flourish that the connector reads (docs/pos/flourish.md). The shop is one of two facilities,
 * and orders of the other one are in the same list. At intervals, a response states a failure with HTTP status 200. Rows have
 * the form of the examples in the vendor's collection (D). Assumptions (A): the order of lists, the status `Delivered`, and
 * the amounts of completed retail orders. The shop's customers are companies or persons, and its sales are orders of both.
 */
export class FakeFlourish extends ShopServer {
  readonly credentials = { api_key: "flourish-user:flourish-key" };
  /** paths that the key cannot read */
  readonly closed = new Set<string>();
  /** the places that stock names: locations, only areas, or none */
  places: "locations" | "areas" | "none" = "locations";

  protected answer({ path, query, headers, number }: FakeRequest): FakeAnswer {
    const expected = Buffer.from(this.credentials.api_key).toString("base64");
    if (headers.authorization !== `Basic ${expected}`) return { status: 401, body: { message: "Unauthorized" } };
    if (this.closed.has(path)) return { status: 403, body: { message: "Forbidden" } };
    if (number % 23 === 0) return failure;
    if (path === "/v1/facilities") return page(facilities, query, (facility) => facility);
    if (headers.facilityid !== "501") return { status: 400, body: { message: "FacilityID" } };
    const { shop } = this;
    const since = Date.parse(query.get("last_updated_timestamp_start") ?? "1970-01-01T00:00:00Z");
    const changed = <Row extends { changedAt: number; number: number }>(rows: readonly Row[]) =>
      shop.views.of(path, `${since}`, () => rows.filter(({ changedAt }) => changedAt > since).toSorted(oldestFirst));
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
      case "/v1/customers":
        return page(changed(shop.customers), query, person);
      case "/v1/inventory":
        return page([...shop.packages, null], query, (stock) => (stock ? this.#stock(stock) : this.#quarantined()));
      case "/v1/outbound-orders":
        return page(changed(shop.sales), query, order);
      case "/v1/retail-orders": {
        const [from, to] = ["start", "end"].map((end) => query.get(`created_timestamp_${end}`) ?? "");
        if (!from || !to) return { status: 400, body: { message: "created_timestamp" } };
        const orders = shop.views.of(path, `${from} ${to}`, () =>
          shop.sales.filter(({ at }) => at >= Date.parse(from) && at <= Date.parse(to)).toSorted(oldestFirst),
        );
        return page(orders, query, retailOrder);
      }
      default:
        return { status: 404, body: { message: "no such path" } };
    }
  }

  /** Stock of an undocumented status. */
  #quarantined() {
    const [first] = this.shop.packages;
    return { ...(first && this.#stock(first)), inventory_id: "9001", package_status: "Quarantined" };
  }

  /** A package is in one place here. */
  #stock(stock: ShopPackage) {
    const { number, tag, product, changedAt } = stock;
    const room = rooms[number % rooms.length] ?? rooms[0];
    const hasLocation = this.places === "locations";
    const area = this.places === "none" ? null : room;
    return {
      inventory_id: String(number),
      item_id: String(product.number),
      item_name: product.name,
      sku: `SKU-${product.number}`,
      package_id: tag,
      package_status: packageStatuses[number % packageStatuses.length],
      qty: unitsIn(stock),
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

/** The response of a failing server, with HTTP status 200. A client that ignores `status` reads it as an empty list. */
const failure: FakeAnswer = {
  body: { message: "Internal Server Error", status: 500, meta: { total: 0, count: 0, next: "" }, data: [] },
};

/** Packages contain no supplies. */
const packageStatuses = ["Created", "ASSIGNED TO ORDER", null];

/** Flourish has no voids: a sale that the shop voids is shipped here. */
const statuses = {
  sold: ["Shipped", "SHIPPED", "Completed", "Delivered"],
  voided: ["Shipped"],
  pending: ["Allocated", "Packed", "submitted"],
  canceled: ["Cancelled"],
} as const;

/** A refund of the shop is an order of an undocumented status here. A sale that is not retail is an order of Denver. */
function statusOf({ number, status, original }: ShopSale) {
  return original ? "Undeliverable" : statuses[status][number % statuses[status].length];
}

function order(sale: ShopSale) {
  const { number, customer, status, at, changedAt, lines, kind } = sale;
  const { discount, tax, net, fee, total } = amountsOf(sale);
  return {
    id: String(number),
    order_status: statusOf(sale),
    origin_facility: { id: kind === "retail" ? "501" : "502", facility_name: "Example" },
    order_timestamp: iso(at - 60_000),
    shipped_timestamp: status === "pending" ? null : iso(at),
    sub_total_price: dollars(net),
    taxes: dollars(tax),
    total_charges: 0,
    delivery_fee: dollars(fee),
    total_discounts: dollars(discount),
    total_price: dollars(total),
    total_paid: String(dollars(total)),
    destination: customer && { id: String(customer.number), name: "Planted Buyer" },
    // An order without a representative has the id 0.
    sales_rep: { id: number % 3 === 0 ? "0" : "9", first_name: "Plantedstaff", email: "staff@example.com" },
    order_lines: lines.map(line),
    notes: `Plantednote${number}`,
    last_updated_timestamp: iso(changedAt),
  };
}

function person(customer: ShopCustomer) {
  const { number, medicalId } = customer;
  const home = { city: "Boulder", state: "CO", postcode: "80302", country: "US", active: true };
  return {
    id: String(number),
    first_name: customer.firstName,
    middle_name: customer.middleName,
    last_name: customer.lastName,
    preferred_name: "Plantednickname",
    dob: customer.dob,
    email: customer.email,
    phone: customer.phone,
    allergies: `Plantedallergy${number}`,
    patient_id: medicalId,
    medical_card_expiration: medicalId ? "2027-06-30" : "",
    state_id: customer.license,
    state_id_expiration_timestamp: "2028-01-31T00:00:00Z",
    customer_type: medicalId ? "Patient" : "Walk-in",
    merged_customer_id: customer.mergedInto ? String(customer.mergedInto.number) : null,
    address: [
      { ...home, address_line_1: "Planted old street", is_primary: false },
      { ...home, address_line_1: customer.street, address_line_2: "", is_primary: true },
    ],
    physician: { first_name: "Plantedphysician", license_number: "Plantedphysician" },
    last_updated_timestamp: iso(customer.changedAt),
  };
}

const retailStatuses = {
  sold: ["Completed", "COMPLETED"],
  voided: ["Completed"],
  pending: ["Created", "submitted", "Packed", "Out for Delivery"],
  canceled: ["Cancelled", "Undeliverable"],
} as const;

/** A retail order repeats its customer, and some orders lack their facility, as in the vendor's examples. */
function retailOrder(sale: ShopSale) {
  const { number, customer, status, at, changedAt, lines, kind, original, payment } = sale;
  const { discount, tax, net, fee, total } = amountsOf(sale);
  const isPaid = status !== "pending" && status !== "canceled";
  const statuses = retailStatuses[status];
  const given = payment === "cash" ? 100 : 0;
  const paid = {
    is_successful: true,
    is_voided: false,
    amount: dollars(total),
    change_given: dollars(given),
    amount_going_in: dollars(total + given),
    payment_type: payment === "cash" ? "Cash" : "Manual",
    reference_token: payment === "cash" ? `Plantedtoken${number}` : "CANPAY",
    reference_id: `Plantedreference${number}`,
    created_by: "Plantedstaff",
  };
  const failed = { ...paid, amount: dollars(total + 1), is_successful: number % 2 === 0, is_voided: number % 2 === 0 };
  const facility = number % 2 === 0 ? "501" : null;
  return {
    facility_id: kind === "retail" ? facility : "502",
    facility_name: null,
    id: String(number),
    customer_id: customer ? String(customer.number) : null,
    order_timestamp: iso(at - 60_000),
    created_timestamp: iso(at),
    completed_timestamp: isPaid ? iso(at) : null,
    sub_total_price: dollars(net),
    taxes: dollars(tax),
    total_discounts: dollars(discount),
    delivery_fee: dollars(fee),
    total_price: dollars(total),
    total_paid: isPaid ? dollars(total) : 0,
    total_refund: 0,
    order_notes: `Plantednote${number}`,
    completed_by: "Plantedstaff",
    customer: customer && person(customer),
    order_status: original ? "Disputed" : statuses[number % statuses.length],
    order_lines: lines.map((one) => ({ ...line(one), taxes: [] })),
    applied_discounts: [],
    transactions: isPaid ? [failed, paid] : [],
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
