import type { FakeAnswer, FakeRequest } from "./fakeServer.ts";
import { amountsOf, dollars, iso, rooms, type ShopLine, type ShopProduct, type ShopSale, unitsIn } from "./shop.ts";
import { ShopServer } from "./shopServer.ts";

const facility = "77";
const otherFacility = { facility_id: 78 };

/**
 * A fake of the part of Canix that the connector reads (docs/pos/canix.md): a company of two facilities, one of them
 * the shop. Lists of items, locations and orders have rows of the other facility too, whatever is requested. Rows have the
 * form of the vendor's OpenAPI document (D). Assumptions (A): the zone of the days in filters; orders that end as rejected,
 * returned or canceled.
 */
export class FakeCanix extends ShopServer {
  readonly credentials = { key: "canix-key" };
  /** the maximum number of rows of a page; small lists have several pages too */
  maxPageSize = this.shop.sales.length > 1000 ? 2000 : 25;

  protected answer({ path, query, headers }: FakeRequest): FakeAnswer {
    if (headers["x-api-key"] !== this.credentials.key) return { status: 401, body: { error: "Unauthorized" } };
    const where = query.get("where") ?? "";
    const known = /^(facility_id=(\d+))?( AND )?(updated_at >= '(\d{4}-\d\d-\d\d)')?$/.exec(where);
    if (!known || Number(query.get("limit")) > 2000) return { status: 400, body: { error: "Bad request" } };
    const [, , ofFacility, , , day = "1970-01-01"] = known;
    const { shop } = this;
    const isHere = (ofFacility ?? query.get("facility_id")) === facility;
    const since = Date.parse(day);
    const answered = <Row extends { number: number; changedAt?: number }>(
      rows: () => readonly Row[],
      make: (row: Row) => object,
    ): FakeAnswer => {
      const offset = Number(query.get("offset") ?? 0);
      const found = shop.views.of(path, `${isHere} ${day}`, () =>
        rows()
          .filter(({ changedAt = Number.MAX_SAFE_INTEGER }) => changedAt >= since)
          .toSorted((a, b) => a.number - b.number),
      );
      return { body: found.slice(offset, offset + Math.min(this.maxPageSize, Number(query.get("limit")))).map(make) };
    };
    switch (path) {
      case "/api/v1/facilities":
        return {
          body: [
            { id: Number(facility), name: "Boulder", address },
            { id: 78, name: "Denver", address: null },
          ],
        };
      case "/api/v1/locations":
        return answered<{ number: number; name: string; changedAt?: number }>(
          () => (isHere ? [...rooms, { number: elsewhere, name: "Vault" }] : []),
          ({ number, name }) => ({ id: number, name, is_active: true, ...(number === elsewhere && otherFacility) }),
        );
      case "/api/v1/customers":
        return answered(
          () => shop.customers,
          (customer) => ({
            id: customer.number,
            company_name: customer.lastName,
            contact_name: customer.firstName,
            email: customer.email,
            phone: customer.phone,
            facility_license_number: customer.license,
            license_expiration_date: "2028-05-31",
            license_type: "Retailer",
            address: { ...address, street: customer.street },
            notes: `Plantednote${customer.number}`,
            updated_at: spaced(customer.changedAt),
          }),
        );
      case "/api/v1/items":
        return answered(
          () => (isHere ? [...shop.products, ...shop.products.slice(0, 1).map(ofOther)] : []),
          ({ number, name, kind, cost, changedAt }) => ({
            id: number,
            facility_id: number === elsewhere ? otherFacility.facility_id : Number(facility),
            name,
            sku: `SKU-${number}`,
            type: { name: "Packaged", product_category: kind, quantity_type: "CountBased" },
            sub_type: { name: "House" },
            strain: kind === "flower" ? { name: "Gelato" } : null,
            product_brand: { name: "Example Farms" },
            weight_unit: "Each",
            unit_weight: kind === "flower" ? 3.5 : null,
            unit_weight_unit: "Grams",
            current_standard_cost: { standard_cost_amount: dollars(cost), standard_cost_currency: "USD" },
            is_active: true,
            updated_at: spaced(changedAt),
          }),
        );
      case "/api/v1/packages":
        return answered(
          () => (isHere ? [...shop.packages, ...shop.removed] : []),
          (stock) => ({
            id: stock.number,
            tag: stock.tag,
            item: { id: stock.product.number, name: stock.product.name, facility_id: Number(facility) },
            weight: unitsIn(stock),
            weight_unit: "Each",
            location: { id: rooms[stock.number % 2]?.number, name: rooms[stock.number % 2]?.name },
            is_active: !shop.removed.includes(stock),
            updated_at: spaced(stock.changedAt),
          }),
        );
      case "/api/v1/sales_orders":
        return answered(() => (isHere ? shop.sales.filter(isOrder) : []), order);
      default:
        return { status: 404, body: { error: "Not found" } };
    }
  }
}

/** The id of a location and an item of the other facility. */
const elsewhere = 999_999;

const ofOther = (product: ShopProduct): ShopProduct => ({ ...product, number: elsewhere });

const address = { street: "412 Pearl Street", street2: "", city: "Boulder", state: "CO", postal_code: "80302" };

/** `2018-11-06 08:00:00.000+00:00`. */
const spaced = (instant: number) => iso(instant).replace("T", " ").replace("Z", "+00:00");

/** Returns have no records of their own. Wholesale sales are those of the other facility. */
const isOrder = ({ kind, original }: ShopSale) => kind !== "transfer" && original === null;

/** A sale that the shop voids is archived here. */
const statuses = { sold: "shipped", voided: "archived", pending: "filled", canceled: "rejected" } as const;

/** Some pending orders have an unknown status. */
const statusOf = ({ number, status }: ShopSale) =>
  status === "pending" && number % 4 === 2 ? "backordered" : statuses[status];

function order(sale: ShopSale) {
  const { number, kind, customer, at, changedAt, lines, fee } = sale;
  const { net, tax } = amountsOf(sale);
  const status = statusOf(sale);
  return {
    id: number,
    name: `SO-${number}`,
    ...(kind === "wholesale" ? otherFacility : { facility_id: Number(facility) }),
    status: number % 2 === 0 ? status : status.toUpperCase(),
    subtotal: dollars(net),
    discount: 0,
    credits: 0,
    local_tax_rate: 0,
    state_tax_rate: 0.15,
    other_tax_rate: 0,
    total_price: dollars(net + tax),
    total_paid: dollars(net + tax),
    remaining_balance: 0,
    // Not included in the total.
    delivery_fee: dollars(fee),
    delivery_date: spaced(at),
    updated_at: spaced(changedAt),
    customer: customer && { id: customer.number, name: "Planted Buyer" },
    sales_representative: { id: 9, name: "Plantedstaff" },
    contents: lines.map(content),
    payments: [
      {
        amount: dollars(net + tax),
        date: "2026-03-10",
        reference_number: number % 2 === 0 ? `CHK-${number}` : "Plantedreference",
      },
    ],
    notes: `Plantednote${number}`,
  };
}

function content({ product, quantity, price, discount }: ShopLine) {
  return {
    item: { id: product.number, name: product.name, sku: `SKU-${product.number}` },
    weight: quantity,
    weight_unit: "Each",
    unit_price: dollars(price),
    total_price: dollars(price * quantity),
    discount: discount ? { type: "fixed", amount: dollars(discount), reason: "Volume" } : null,
  };
}
