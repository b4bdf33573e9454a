import type * as z from "zod";
import type { customer } from "../../api/schemas/customer.ts";
import type { inventory } from "../../api/schemas/inventory.ts";
import type { inventoryLocation } from "../../api/schemas/inventoryLocation.ts";
import type { product } from "../../api/schemas/product.ts";
import type { retailSale, wholesaleSale } from "../../api/schemas/sale.ts";
import type { lineItem, saleCustomer } from "../../api/schemas/saleParts.ts";

/** How a POS value is stored: as a code (keyed hash), or as the POS returns it. */
export type StoredAs = "code" | "asIs";

/**
 * A stored POS field, with its name in the consent terms (`words`). The terms list the fields of one `group` on one
 * line.
 */
export interface StoredField {
  as: StoredAs;
  group: string;
  words: string;
}

/**
 * `own` fields come from the service, such as ids and times, and need no consent. A `parts` field contains records,
 * such as line items, whose fields the terms list separately.
 */
type Stored = StoredField | "own" | "parts";
type FieldsOf<Schema extends z.ZodObject> = Record<keyof Schema["shape"], Stored>;

const asIs = (group: string, words: string): StoredField => ({ as: "asIs", group, words });
const code = (group: string, words: string): StoredField => ({ as: "code", group, words });

const service = { id: "own", crb_id: "own", pos_type: "own" } as const;
const inserted = { svc_created_date: "own", svc_updated_date: "own" } as const;
const posUpdated = (group: string) =>
  ({ pos_updated_date: asIs(group, "last change"), pos_updated_date_local: "own" }) as const;

const deductions = asIs("Amounts", "discounts, taxes and fees with their names");

/**
 * The name of each field of each record in the consent terms, in the order of the lists of the terms. The compiler
 * checks the fields against the schemas, and a test checks which fields are hashed.
 */
export const storedFields = {
  customer: {
    ...service,
    ...inserted,
    first_name: code("Names", "first name"),
    middle_name: code("Names", "middle name"),
    last_name: code("Names", "last name"),
    phone: code("Contact", "phone number"),
    cell_phone: code("Contact", "cell phone number"),
    email_address: code("Contact", "email address"),
    medical_id: code("IDs", "medical card number"),
    drivers_license_id: code("IDs", "driver's license number"),
    other_id: code("IDs", "other ID number"),
    dob: asIs("Person", "date of birth"),
    gender: asIs("Person", "gender"),
    address_1: asIs("Address", "street"),
    address_2: asIs("Address", "second line"),
    city: asIs("Address", "city"),
    state: asIs("Address", "state"),
    zip_code: asIs("Address", "ZIP code"),
    pos_identification_type: asIs("IDs", "ID type"),
    medical_id_expiration_date: asIs("IDs", "medical card expiry"),
    drivers_license_expiration_date: asIs("IDs", "driver's license expiry"),
    other_id_expiration_date: asIs("IDs", "other ID expiry"),
    pos_customer_id: asIs("Account", "customer number"),
    pos_customer_type: asIs("Account", "customer type"),
    svc_customer_type: asIs("Account", "medical or adult use"),
    caregiver: asIs("Account", "caregiver or not"),
    merged_into_customer_id: "own",
    anonymous: asIs("Account", "anonymous or not"),
    loyalty_member: asIs("Account", "loyalty membership"),
    loyalty_points: asIs("Account", "loyalty points"),
    ...posUpdated("Account"),
  } satisfies FieldsOf<typeof customer>,
  sale: {
    id: "own",
    crb_id: "own",
    local_date: "own",
    ...inserted,
    pos_name: "own",
    compliance_status: "own",
    compliance_exceptions: "own",
    compliance_warnings: "own",
    line_items: "parts",
    customer: "parts",
    pos_sale_id: asIs("Sale", "sale number"),
    date: asIs("Sale", "date and time"),
    transaction_type: asIs("Sale", "transaction type"),
    type: asIs("Sale", "retail or wholesale"),
    employee_id: asIs("Sale", "employee number"),
    subtotal: asIs("Amounts", "subtotal"),
    total_discounts: deductions,
    discounts: deductions,
    tax_paid: deductions,
    taxes: deductions,
    fees: deductions,
    total_paid: asIs("Amounts", "total"),
    payments: asIs("Amounts", "payment methods and amounts"),
    invoice: asIs("Wholesale invoice", "invoice number, buyer number, note, total and open balance"),
  } satisfies FieldsOf<typeof retailSale> & FieldsOf<typeof wholesaleSale>,
  itemSold: {
    product_id: "own",
    pos_product_id: asIs("Items sold", "product number"),
    product_name: asIs("Items sold", "product name"),
    product_type: asIs("Items sold", "category"),
    cannabis_product: asIs("Items sold", "cannabis or not"),
    num_units: asIs("Items sold", "units"),
    price_per_unit: asIs("Items sold", "unit price"),
    grams: asIs("Items sold", "weight"),
    thc_mg_per_unit: asIs("Items sold", "THC content"),
    line_item_discounts: asIs("Items sold", "discounts"),
    line_item_taxes: asIs("Items sold", "taxes"),
    line_item_fees: asIs("Items sold", "fees"),
  } satisfies FieldsOf<typeof lineItem>,
  buyer: {
    customer_id: "own",
    pos_customer_id: asIs("Customer in a sale", "customer number"),
    type: asIs("Customer in a sale", "medical or adult use"),
    dob: asIs("Customer in a sale", "date of birth"),
    id_type: asIs("Customer in a sale", "ID type"),
    id_expiration_date: asIs("Customer in a sale", "ID expiry"),
  } satisfies FieldsOf<typeof saleCustomer>,
  product: {
    ...service,
    ...inserted,
    svc_product_category_name: "own",
    svc_net_weight_grams: "own",
    pos_product_id: asIs("Products", "product number"),
    name: asIs("Products", "name"),
    sku: asIs("Products", "SKU"),
    description: asIs("Products", "description"),
    images: asIs("Products", "pictures"),
    pos_product_category_name: asIs("Product types", "category"),
    pos_product_subcategory_name: asIs("Product types", "subcategory"),
    pos_strain_name: asIs("Product types", "strain"),
    pos_brand_name: asIs("Product types", "brand"),
    medicated: asIs("Product types", "THC or not"),
    thc_mg_per_unit: asIs("Product types", "THC content"),
    pos_unit_of_measure: asIs("Prices", "unit of measure"),
    price: asIs("Prices", "price"),
    price_tiers: asIs("Prices", "price tiers"),
    unit_cost: asIs("Prices", "unit cost"),
    ...posUpdated("Prices"),
  } satisfies FieldsOf<typeof product>,
  inventory: {
    ...service,
    ...inserted,
    product_id: "own",
    product: "own",
    name: asIs("Inventory", "product name"),
    sku: asIs("Inventory", "SKU"),
    barcode: asIs("Inventory", "track-and-trace tag"),
    total_quantity: asIs("Inventory", "total quantity"),
    location_data: asIs("Inventory", "quantity at each location"),
    ...posUpdated("Inventory"),
  } satisfies FieldsOf<typeof inventory>,
  location: {
    ...service,
    svc_created_date: "own",
    svc_created_date_local: "own",
    pos_location_id: asIs("Locations", "location number"),
    name: asIs("Locations", "name"),
    pos_location_type: asIs("Locations", "location type"),
    ...posUpdated("Locations"),
  } satisfies FieldsOf<typeof inventoryLocation>,
} as const;

export type StoredRecord = keyof typeof storedFields;

/** The fields of a record that come from the POS, with their names. */
export const posFieldsOf = (record: StoredRecord): [name: string, field: StoredField][] =>
  Object.entries<Stored>(storedFields[record]).flatMap(([name, field]) =>
    typeof field === "object" ? [[name, field] as [string, StoredField]] : [],
  );
