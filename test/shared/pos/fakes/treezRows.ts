import {
  amountsOf,
  dollars,
  iso,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
  unitsAt,
} from "./shop.ts";

// The shop's records in Treez's form, with more fields than the connector reads. Their names are those of Treez's documents and
// examples (D). Assumptions (A): `ON_HOLD`; whether a customer pays the fee of the processor; whether reward dollars are a
// discount in the price of a line.

/** With an offset that is not that of the shop. */
function offsetText(instant: number): string {
  return `${iso(instant - 8 * 60 * 60_000).slice(0, -1)}-08:00`;
}

export function treezCustomer(customer: ShopCustomer) {
  const { number, medicalId } = customer;
  return {
    customer_id: String(number),
    status: customer.mergedInto ? "MERGED" : "ACTIVE",
    merged_into_customer_id: customer.mergedInto?.number ?? null,
    first_name: customer.firstName,
    middle_name: number % 2 === 0 ? customer.middleName : "N/A",
    last_name: customer.lastName,
    nickname: `Plantednick${number}`,
    birthday: customer.dob,
    gender: "M",
    drivers_license: customer.license,
    drivers_license_expiration: "2028-05-31",
    state_medical_id: medicalId,
    permit_expiration: medicalId && "2027-03-31 00:00:00.000",
    email: customer.email,
    phone: customer.phone.replace(/\D/g, ""),
    is_caregiver: false,
    caregiver_license_number: null,
    caregiver_name_1: "Plantedcaregiver",
    rewards_balance: customer.points,
    rewards_type: "POINTS",
    patient_type: medicalId ? "MEDICAL_MMID" : "ADULT",
    signup_date: offsetText(customer.createdAt),
    last_update: offsetText(customer.changedAt),
    addresses: [
      { street1: "1 Planted Way", city: "Denver", state: "CO", zipcode: "80202", primary: false },
      { street1: customer.street, street2: null, city: "Boulder", state: "CO", zipcode: "80302", primary: true },
    ],
    notes: `Plantednote${number}`,
    physician_first_name: "Plantedphysician",
  };
}

const kinds = {
  flower: { category_type: "FLOWER", amount: 3.5, uom: "GRAMS", sub_type: "PRE-PACK" },
  edible: { category_type: "EDIBLE", amount: "100", uom: "MILLIGRAMS", sub_type: "GUMMY" },
  vape: { category_type: "CARTRIDGE", amount: 1, uom: "GRAMS", sub_type: "510" },
  accessory: { category_type: "MERCH", amount: null, uom: null, sub_type: "SHIRT" },
} as const;

/** @param stock the product's packages */
export function treezProduct(
  { uuid, number, name, kind, price, changedAt }: ShopProduct,
  stock: readonly ShopPackage[],
) {
  const { category_type, amount, uom, sub_type } = kinds[kind];
  const detail = rooms.flatMap((room) => {
    const place = { location: room.name, location_id: room.uuid, sellable_quantity: unitsAt(room, stock) };
    return ["ALL", "ADULT"].map((inventory_type) => ({ ...place, inventory_type }));
  });
  const sellable_quantity = rooms.reduce((sum, room) => sum + unitsAt(room, stock), 0);
  const withoutLocation = { inventory_type: "All", sellable_quantity };
  return {
    product_id: uuid,
    last_updated_at: offsetText(changedAt),
    sellable_quantity: 30,
    sellable_quantity_detail: stock.length > 0 ? (number % 4 === 0 ? [withoutLocation] : detail) : [],
    category_type,
    product_configurable_fields: {
      name,
      brand: "Example Farms",
      size: kind === "flower" ? "3.5g" : null,
      amount,
      uom,
      sub_type,
      doses: kind === "edible" ? 10 : null,
      total_mg_thc: kind === "edible" ? 100 : 0,
    },
    pricing: {
      price_type: number % 7 === 0 ? "TIER" : "FLAT",
      price_sell: number % 5 === 0 ? (price / 100).toFixed(2) : dollars(price),
      tier_name: number % 7 === 0 ? "House" : null,
      tier_method: number % 7 === 0 ? "WEIGHT" : null,
      tier_pricing_detail: number % 7 === 0 ? [{ start_value: 1, price_per_value: dollars(price) }] : null,
    },
    product_barcodes: number % 2 === 0 ? [{ sku: `SKU-${number}`, type: "DEFAULT" }] : [`SKU-${number}`],
    e_commerce: {
      all_images: [],
      primary_image: `https://images.example.com/${number}.png`,
      product_description: null,
    },
  };
}

const statuses = {
  sold: ["COMPLETED", "Completed", "DELIVERED"],
  voided: ["COMPLETED"],
  pending: ["AWAITING_PROCESSING", "OUT_FOR_DELIVERY", "DRAFT"],
  canceled: ["CANCELED", "REMOVED"],
} as const;

/** A sale of the shop that is not retail is a ticket of an undocumented status here. */
function statusOf({ number, kind, status }: ShopSale) {
  return kind === "retail" ? statuses[status][number % statuses[status].length] : "ON_HOLD";
}

/** Treez has no voids: a sale that the shop voids is sold here. */
export function treezTicket(sale: ShopSale) {
  const { number, uuid, customer, status, original, at, changedAt, payment, lines } = sale;
  const { discount, tax, net, fee, total } = amountsOf(sale);
  const sign = original ? -1 : 1;
  const money = (cents: number) => dollars(cents * sign);
  const closed = status !== "pending";
  // A card may be charged a tip, and also the fee of its processor, which the total does not contain.
  const tip = payment === "debit" && number % 4 === 0 ? 500 : 0;
  const processorFee = payment === "debit" && number % 3 === 0 ? 50 : 0;
  const charged = total + tip + (number % 2 === 0 ? processorFee : 0);
  return {
    ticket_id: uuid,
    type: fee ? "DELIVERY" : "POS",
    order_status: statusOf(sale),
    customer_id: customer?.number ?? null,
    ticket_patient_type: customer?.medicalId ? "MEDICAL-MMID" : "ADULT",
    date_created: offsetText(at - 60_000),
    last_updated_at: offsetText(changedAt),
    date_closed: closed ? offsetText(at) : null,
    post_tax_pricing: false,
    sub_total: money(net),
    tax_total: money(tax),
    discount_total: -dollars(discount),
    total: money(total),
    original_ticket_id: original?.uuid ?? null,
    created_by_employee: { employee_id: number % 3 === 0 ? "Default" : "emp-9", name: "Plantedstaff" },
    fees: fee ? [{ type: "DELIVERY", total_amount: money(fee) }] : [],
    payments: [
      {
        payment_method: payment.toUpperCase(),
        amount_paid: money(charged),
        processor_fee: processorFee ? dollars(processorFee) : null,
        processor_tip: tip ? dollars(tip) : null,
      },
    ],
    items: [...lines.map((line) => item(line, sign)), ...(fee ? [deliveryItem(fee)] : [])],
    delivery_address: { street: "Plantedstreet 1" },
    ticket_note: `Plantednote${number}`,
  };
}

function item({ product, quantity, price, discount, tax }: ShopLine, sign: 1 | -1) {
  const { category_type, amount, uom } = kinds[product.kind];
  const money = (cents: number) => dollars(cents * sign);
  const isReward = product.number % 2 === 0;
  const discounts =
    discount && !isReward
      ? [{ discount_title: "Happy hour", discount_amount: 10, discount_method: "PERCENT", savings: dollars(discount) }]
      : [];
  return {
    product_id: product.uuid,
    product_size_name: product.name,
    product_type: category_type,
    quantity: quantity * sign,
    price_sell: money(price * quantity - discount),
    price_total: money(price * quantity - discount + tax),
    product_unit: uom,
    product_amount: Number(amount),
    location_name: rooms[0].name,
    discounts,
    POS_discounts: discounts,
    reward_dollars: discount && isReward ? dollars(discount) : null,
    tax: [{ tax_name: "Sales tax", rate: 0.15, amount: money(tax) }],
  };
}

function deliveryItem(fee: number) {
  return {
    product_id: null,
    product_size_name: "DELIVERY FEE",
    product_type: "NON-INV",
    quantity: 1,
    price_sell: dollars(fee),
    location_name: null,
    discounts: [],
    POS_discounts: [],
    tax: [],
  };
}
