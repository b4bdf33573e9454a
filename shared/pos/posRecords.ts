import type * as z from "zod";
import type { idTypes, medicalOrRec, paymentTypes, productCategories, transactionTypes } from "../api/enumerations.ts";
import type { RecordKind } from "../api/kinds.ts";
import type { customer } from "../api/schemas/customer.ts";
import type { product } from "../api/schemas/product.ts";

// The records that connectors return. They have the fields of docs/spec.md#records, without the fields that the service
// adds (ids, dates, local times). Names and values already follow the specification. Instants are ISO 8601 UTC with
// milliseconds and Z; amounts of money are cents.

/** The record of each kind. */
export interface PosRecords {
  location: PosLocation;
  product: PosProduct;
  customer: PosCustomer;
  inventory: PosInventory;
  sale: PosSale;
}

/** The record's key inside the POS, if its id is not unique because each store numbers its records itself. */
interface Keyed {
  pos_key?: string;
}

/** The key of a record inside the POS. The service derives the record's id from it. */
export function posIdOf<Kind extends RecordKind>(kind: Kind, record: PosRecords[Kind]): string {
  const fields = record as unknown as Keyed & Record<string, unknown>;
  return fields.pos_key ?? (fields[`pos_${kind}_id`] as string);
}

/** A place inside the store where inventory lies (docs/spec.md#products-and-inventory). */
export interface PosLocation extends Keyed {
  pos_location_id: string;
  name: string;
  pos_location_type: string | null;
  pos_updated_date: string | null;
}

/** The fields of a record that the service adds. No POS provides them. */
type ServiceField =
  | "id"
  | "crb_id"
  | "pos_type"
  | "merged_into_customer_id"
  | "pos_updated_date_local"
  | "svc_created_date"
  | "svc_updated_date";

type Stated<Schema extends z.ZodType> = Omit<z.input<Schema>, ServiceField>;

/** A customer (docs/spec.md#hashed-fields). Sensitive fields are plain text, so keep a PosCustomer in memory only. */
export interface PosCustomer extends Omit<Stated<typeof customer>, "loyalty_points"> {
  /** decimal number as text; undefined if the response does not contain the points: the stored value stays */
  loyalty_points: string | null | undefined;
  /** the POS id of the customer with whom this one was merged (docs/spec.md#merged-customers), if any */
  merged_into_pos_customer_id?: string | null;
}

export type ProductCategory = (typeof productCategories)[number];

type CustomerType = (typeof medicalOrRec)[number];

/** A product. Its price and tier prices are whole cents before tax. */
export interface PosProduct extends Omit<Stated<typeof product>, "price_tiers"> {
  price_tiers: PosPriceTier[] | null;
}

export interface PosPriceTier {
  tier_name: string | null;
  /** whole cents */
  tier_price: number;
  pos_tier_type: string;
  pos_tier_type_condition_value: string;
  tier_valid_until_date: string | null;
}

/** The stock of one package, or of one product if the POS has no packages (docs/spec.md#products-and-inventory). */
export interface PosInventory {
  /** the key inside the POS. The API does not return it, because the specification's record has no such field */
  pos_inventory_id: string;
  pos_product_id: string | null;
  name: string;
  sku: string | null;
  barcode: string | null;
  total_quantity: number;
  pos_updated_date: string | null;
  /** null if the POS does not record quantities by location */
  location_data: PosLocationQuantity[] | null;
}

export interface PosLocationQuantity extends Keyed {
  pos_location_id: string;
  name: string | null;
  pos_location_type: string | null;
  /** may have decimals, for example as a weight in grams. The API rounds it (docs/spec.md#products-and-inventory) */
  quantity: number;
}

/**
 * A sale (docs/spec.md#sales), return or adjustment. Its amounts add up to the cent:
 *
 * - `subtotal` = units x price of all lines - `total_discounts` + fees included in the subtotal
 * - `total_paid` = `subtotal` + `tax_paid` + fees not included = payments + the invoice's open balance
 *
 * The sale does not repeat the discounts, taxes and fees of its lines. A return has its own record; all amounts, unit
 * counts and weights are negative, except unit prices. A voided sale becomes an adjustment: its totals are 0, and its
 * lists are empty.
 */
export type PosSale = PosRetailSale | PosWholesaleSale;

interface PosSaleBase extends Keyed {
  pos_sale_id: string;
  /** whether the service fills null fields of lines and customer from the replicated products and customer */
  completed_by_replicated?: boolean;
  subtotal: number | null;
  total_discounts: number | null;
  tax_paid: number | null;
  total_paid: number | null;
  /** the instant of the sale; its local time is derived from it */
  date: string;
  transaction_type: (typeof transactionTypes)[number] | null;
  employee_id: string | null;
  line_items: PosLineItem[];
  /** discounts of the whole sale, without those of its lines; taxes and fees likewise */
  discounts: PosDeduction[];
  taxes: PosDeduction[];
  payments: PosPayment[];
  fees: PosFee[];
}

/** A part of the paid total, by one means. */
export interface PosPayment {
  type: (typeof paymentTypes)[number];
  /** cents, after subtraction of the change; null if the POS does not state it */
  amount_paid: number | null;
  /** the names of the means in the POS, for the operator; absent if the POS says none */
  pos_name?: string;
}

export interface PosRetailSale extends PosSaleBase {
  type: "retail";
  customer: PosSaleCustomer;
}

export interface PosWholesaleSale extends PosSaleBase {
  type: "wholesale";
  customer: PosSaleCustomer | null;
  invoice: {
    id: string | null;
    pos_customer_id: string | null;
    memo: string | null;
    open_balance: number | null;
    total: number | null;
  };
}

export interface PosLineItem {
  pos_product_id: string | null;
  product_name: string | null;
  num_units: number | null;
  price_per_unit: number | null;
  grams: number | null;
  /** milligrams of THC; also positive in a return */
  thc_mg_per_unit: number | null;
  product_type: ProductCategory | null;
  cannabis_product: boolean | null;
  line_item_discounts: PosDeduction[];
  line_item_taxes: PosDeduction[];
  line_item_fees: PosFee[];
}

/** A discount or a tax. */
export interface PosDeduction {
  /**
   * set if the POS recorded the discount or tax as a product. The product's name then becomes the name of the discount
   * or tax; only in a sale that is `completed_by_replicated`
   */
  pos_product_id?: string | null;
  flat_amount: number | null;
  /** 0.08 for 8 % */
  pct_amount: number | null;
  name: string | null;
}

export interface PosFee {
  fee_name: string | null;
  percent_amount: number | null;
  flat_amount: number | null;
  included_in_subtotal: boolean | null;
}

/** The buyer; all fields are null if the sale names no buyer. */
export interface PosSaleCustomer {
  pos_customer_id: string | null;
  type: CustomerType | null;
  /** yyyy-MM-dd, like the expiration date */
  dob: string | null;
  id_type: (typeof idTypes)[number] | null;
  id_expiration_date: string | null;
}

// Empty records: all fields are null, and lists are empty or null. A connector copies such a record and sets the fields
// that its POS provides.

const nulls = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

export const emptyCustomer: Omit<PosCustomer, "pos_customer_id"> = {
  ...nulls("first_name", "last_name", "middle_name", "dob", "address_1", "address_2", "city", "state", "zip_code"),
  ...nulls("phone", "cell_phone", "email_address", "gender", "pos_identification_type", "pos_customer_type"),
  ...nulls("svc_customer_type", "medical_id", "medical_id_expiration_date", "drivers_license_id"),
  ...nulls("drivers_license_expiration_date", "other_id", "other_id_expiration_date", "caregiver"),
  ...nulls("loyalty_member", "loyalty_points", "anonymous", "pos_updated_date"),
};

export const emptyProduct: Omit<PosProduct, "pos_product_id" | "name"> = {
  ...nulls("svc_product_category_name", "pos_product_category_name", "pos_product_subcategory_name"),
  ...nulls("pos_strain_name", "pos_brand_name", "medicated", "sku", "description", "svc_net_weight_grams"),
  ...nulls("thc_mg_per_unit", "pos_unit_of_measure", "price", "unit_cost", "pos_updated_date", "price_tiers", "images"),
};

export const emptySaleLine: PosLineItem = {
  ...nulls("pos_product_id", "product_name", "num_units", "price_per_unit", "grams", "thc_mg_per_unit"),
  ...nulls("product_type", "cannabis_product"),
  line_item_discounts: [],
  line_item_taxes: [],
  line_item_fees: [],
};

export const emptySaleCustomer: PosSaleCustomer = {
  ...nulls("pos_customer_id", "type", "dob", "id_type", "id_expiration_date"),
};

export const emptySale: Omit<PosSaleBase, "pos_sale_id" | "total_paid" | "date"> = {
  completed_by_replicated: true,
  transaction_type: "sale",
  ...nulls("subtotal", "total_discounts", "tax_paid", "employee_id"),
  line_items: [],
  discounts: [],
  taxes: [],
  payments: [],
  fees: [],
};

export const posLocation = (
  pos_location_id: string,
  name: string,
  pos_updated_date: string | null = null,
): PosLocation => ({ pos_location_id, name, pos_location_type: null, pos_updated_date });

/** The quantity in a location; none without stock, because replication then sets a stored entry to 0. */
export const quantityAt = (
  pos_location_id: string | null,
  { name = null, pos_location_type = null }: { name?: string | null | undefined; pos_location_type?: string | null },
  quantity: number,
): PosLocationQuantity[] =>
  pos_location_id !== null && quantity > 0 ? [{ pos_location_id, name, pos_location_type, quantity }] : [];

export const posFee = (fee_name: string | null, flat_amount: number | null, included_in_subtotal = false): PosFee => ({
  fee_name,
  percent_amount: null,
  flat_amount,
  included_in_subtotal,
});
