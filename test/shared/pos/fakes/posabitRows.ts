import {
  amountsOf,
  iso,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
} from "./shop.ts";

// The shop's records in POSaBIT's form, with more fields than the connector reads. Amounts are cents. The venue and its taxes
// have the names of POSaBIT's documents (D), customers, lots, manifest items and sales those of client code (C). Assumptions (A):
// all statuses and types of sales; which amounts a subtotal contains; that `tax` of a payment may be the fee of a cashless ATM.

export function posabitVenue(hasTaxInPrices: boolean) {
  return {
    name: "Example Dispensary",
    telephone: "(303) 555-0100",
    address: "1 Pearl Street, Boulder, CO",
    street_address_line_1: "1 Pearl Street",
    city: "Boulder",
    state: "CO",
    zip_code: "80302",
    timezone: "Mountain Time (US & Canada)",
    tax_rates: [
      { id: 1, name: "City fee", rate: 0, tax_rate: "0.0", price_included: false },
      { id: 2, name: "Cannabis Tax", rate: 1500, tax_rate: "15.0", price_included: hasTaxInPrices },
    ],
  };
}

export function posabitCustomer(customer: ShopCustomer) {
  const { number, createdAt, changedAt } = customer;
  return {
    id: number,
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    telephone: customer.phone,
    birthday: customer.dob,
    drivers_license: customer.license,
    gender: number % 2 === 0 ? "female" : "other",
    address: customer.street,
    city: "Boulder",
    state: "CO",
    zipcode: "80302",
    loyalty_member: number % 3 === 0,
    notes: `Plantednote${number}`,
    created_at: iso(createdAt),
    updated_at: iso(changedAt),
  };
}

const kinds = {
  flower: { category: "Flower", unit: "3.5 g", flower_type: "hybrid" },
  edible: { category: "Edibles", unit: "1 each", flower_type: null },
  vape: { category: "Vape Cartridges", unit: "1.0 g", flower_type: null },
  accessory: { category: "Accessories", unit: "1 each", flower_type: null },
} as const;

/** A lot. Without stock, it is the empty lot that each product has. */
export function posabitLot(product: ShopProduct, stock: ShopPackage | null) {
  const { number, name, kind, price, changedAt } = product;
  const isBulk = kind === "flower" && number % 5 === 0;
  const quantities = stock ? rooms.map((room) => [room.name, stock.quantities.get(room.number) ?? 0] as const) : [];
  return {
    id: stock?.number ?? number,
    product_id: number,
    name,
    sku: `SKU-${number}`,
    brand: "Example Farms",
    vendor: "Plantedvendor",
    strain: kind === "flower" ? "Blue Dream" : null,
    description: null,
    ...kinds[kind],
    // The price of a lot that is sold by weight depends on tiers.
    price: isBulk ? 0 : price,
    med_price: isBulk ? null : price - 100,
    bulk_item: isBulk,
    tier_name: isBulk ? "House" : null,
    quantity_on_hand: `${quantities.reduce((sum, [, quantity]) => sum + quantity, 0)}.0`,
    image: [`https://images.example.com/${number}.png`],
    active: true,
    rooms: quantities.map(([room, quantity]) => [room, String(quantity)]),
    created_at: iso(product.createdAt),
    updated_at: iso(Math.max(changedAt, stock?.changedAt ?? 0)),
  };
}

/** A lot's cost at its arrival, and after a correction. */
export function posabitCosts({ number, product, changedAt }: ShopPackage) {
  return [
    { number: number + 700_000, lot: number, cost: product.cost, changedAt },
    { number: number + 600_000, lot: number, cost: product.cost + 55, changedAt: changedAt - 1 },
  ];
}

export function posabitManifestItem({ number, lot, cost, changedAt }: ReturnType<typeof posabitCosts>[number]) {
  return { id: number, inventory_id: lot, cost_per_unit: cost, quantity: 40, updated_at: iso(changedAt) };
}

const statuses = {
  sold: ["completed", "Completed", "DELIVERED"],
  voided: ["voided", "Voided"],
  pending: ["open", "On Hold", "En Route", "STS Failed", "pending"],
  canceled: ["Cancelled", "canceled"],
} as const;

/** Subtotals alternate between before and after the discount. If prices include tax, subtotals do too. */
export function posabitSale(sale: ShopSale, hasTaxInPrices: boolean) {
  const { number, customer, status, original, at, changedAt, payment, lines } = sale;
  const { gross, discount, tax, net } = amountsOf(sale);
  const total = net + tax;
  const isBefore = number % 2 === 0;
  const words = statuses[status];
  // A cashless ATM charges a fee that the total of the sale does not contain.
  const atmFee = payment === "debit" && number % 4 === 0 ? 350 : 0;
  return {
    id: number,
    ordered_at: status === "pending" && isBefore ? null : iso(at),
    ordered_at_local: iso(at - 7 * 60 * 60_000).slice(0, -1),
    status: words[number % words.length],
    sale_type: original ? "Return" : "retail",
    is_medical: Boolean(customer?.medicalId),
    local_order_id: `Plantedorder${number}`,
    customer_id: customer?.number ?? null,
    user_id: number % 3 === 0 ? null : 9,
    sub_total: (isBefore ? gross : net) + (hasTaxInPrices ? tax : 0),
    discount: original && isBefore ? -discount : discount,
    tax,
    total: original && isBefore ? -total : total,
    cost: 100,
    items: lines.map((line, place) => item(line, place, number, { isBefore, hasTaxInPrices })),
    sales_tenders: [
      {
        payment_method_name: payment === "cash" ? "Cash" : "POSaBIT Debit",
        subtotal: total,
        tax: atmFee,
        total: total + atmFee,
      },
    ],
    note: `Plantednote${number}`,
    created_at: iso(at),
    updated_at: iso(changedAt),
  };
}

function item(
  { product, quantity, price, discount, tax }: ShopLine,
  place: number,
  sale: number,
  { isBefore, hasTaxInPrices }: { isBefore: boolean; hasTaxInPrices: boolean },
) {
  const gross = price * quantity;
  return {
    item_id: sale * 10 + place,
    sales_history_id: sale,
    product_id: product.number,
    inventory_id: product.number,
    product_name: product.name,
    sku: `SKU-${product.number}`,
    brand: "Example Farms",
    category: kinds[product.kind].category,
    is_marijuana: product.kind !== "accessory",
    quantity,
    unit_weight: product.kind === "flower" ? 3.5 : null,
    unit_of_weight: product.kind === "flower" ? "g" : null,
    weight_in_grams: product.kind === "flower" ? String(3.5 * quantity) : null,
    sub_total: gross - (isBefore ? 0 : discount) + (hasTaxInPrices ? tax : 0),
    discount,
    tax,
    total: gross - discount + tax,
    cost: product.cost,
    discount_list: discount ? [{ coupon_id: 4, coupon_name: "Happy hour" }] : [],
  };
}
