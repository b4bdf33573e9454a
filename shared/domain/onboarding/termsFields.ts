import type * as z from "zod";
import type { customer } from "../../api/schemas/customer.ts";
import type { inventory } from "../../api/schemas/inventory.ts";
import type { inventoryLocation } from "../../api/schemas/inventoryLocation.ts";
import type { product } from "../../api/schemas/product.ts";
import type { retailSale, wholesaleSale } from "../../api/schemas/sale.ts";
import type { lineItem, saleCustomer } from "../../api/schemas/saleParts.ts";

/**
 * How a field is stored: as the POS returns it, or only as a keyed hash. `own` fields come from the service (ids, times,
 * classifications) and need no consent.
 */
type Kept = "own" | { plain: string } | { hashed: string };
type FieldsOf<Schema extends z.ZodObject> = Record<keyof Schema["shape"], Kept>;

const plain = (words: string): Kept => ({ plain: words });
const hashed = (words: string): Kept => ({ hashed: words });

const posUpdated = { pos_updated_date: plain("time of the last change"), pos_updated_date_local: "own" } as const;
const service = { id: "own", crb_id: "own", pos_type: "own" } as const;
const inserted = { svc_created_date: "own", svc_updated_date: "own" } as const;

/**
 * The wording of the terms for each field of each record. The compiler checks it against the schemas, and a test against the
 * fields that are hashed.
 */
export const termsFields = {
  customer: {
    ...service,
    pos_customer_id: plain("number in the point-of-sale system"),
    first_name: hashed("first name"),
    last_name: hashed("last name"),
    middle_name: hashed("middle name"),
    dob: plain("date of birth"),
    address_1: plain("street"),
    address_2: plain("second line of the address"),
    city: plain("city"),
    state: plain("state"),
    zip_code: plain("ZIP code"),
    phone: hashed("phone number"),
    cell_phone: hashed("cell phone number"),
    email_address: hashed("e-mail address"),
    gender: plain("gender"),
    pos_identification_type: plain("kind of identification"),
    pos_customer_type: plain("kind of customer, as the point-of-sale system names it"),
    svc_customer_type: plain("whether they buy for medical or for adult use"),
    medical_id: hashed("number of the medical card"),
    drivers_license_id: hashed("number of the driver's license"),
    other_id: hashed("number of another identification"),
    medical_id_expiration_date: plain("expiry of the medical card"),
    drivers_license_expiration_date: plain("expiry of the driver's license"),
    other_id_expiration_date: plain("expiry of another identification"),
    caregiver: plain("whether they are a caregiver"),
    loyalty_member: plain("whether they take part in a loyalty program"),
    loyalty_points: plain("loyalty points"),
    anonymous: plain("whether the system names nobody"),
    ...posUpdated,
    ...inserted,
  } satisfies FieldsOf<typeof customer>,
  sale: {
    id: "own",
    pos_sale_id: plain("number in the point-of-sale system"),
    crb_id: "own",
    subtotal: plain("subtotal"),
    total_discounts: plain("discounts in total"),
    tax_paid: plain("tax"),
    total_paid: plain("total"),
    date: plain("date and time"),
    local_date: "own",
    ...inserted,
    transaction_type: plain("whether it is a sale, a return or an adjustment"),
    pos_name: "own",
    type: plain("whether it is retail or wholesale"),
    employee_id: plain("number of the employee"),
    line_items: plain("the items sold"),
    discounts: plain("discounts, with their names"),
    taxes: plain("taxes, with their names"),
    payments: plain("means of payment and amounts"),
    customer: plain("the customer"),
    fees: plain("fees, with their names"),
    compliance_status: "own",
    compliance_exceptions: "own",
    compliance_warnings: "own",
    invoice: plain("of wholesale the invoice: number, number of the buyer, note, total and open balance"),
  } satisfies FieldsOf<typeof retailSale> & FieldsOf<typeof wholesaleSale>,
  itemSold: {
    product_id: "own",
    pos_product_id: plain("number of the product"),
    product_name: plain("name of the product"),
    num_units: plain("units"),
    price_per_unit: plain("price of a unit"),
    grams: plain("weight"),
    product_type: plain("category"),
    cannabis_product: plain("whether it contains cannabis"),
    line_item_discounts: plain("discounts"),
    line_item_taxes: plain("taxes"),
    line_item_fees: plain("fees"),
  } satisfies FieldsOf<typeof lineItem>,
  buyer: {
    customer_id: "own",
    pos_customer_id: plain("number in the point-of-sale system"),
    type: plain("whether they buy for medical or for adult use"),
    dob: plain("date of birth"),
    id_type: plain("kind of identification shown"),
    id_expiration_date: plain("its expiry"),
  } satisfies FieldsOf<typeof saleCustomer>,
  product: {
    ...service,
    pos_product_id: plain("number in the point-of-sale system"),
    name: plain("name"),
    svc_product_category_name: "own",
    pos_product_category_name: plain("category"),
    pos_product_subcategory_name: plain("subcategory"),
    pos_strain_name: plain("strain"),
    pos_brand_name: plain("brand"),
    medicated: plain("whether it contains THC"),
    sku: plain("stock-keeping unit"),
    description: plain("description"),
    svc_net_weight_grams: "own",
    pos_unit_of_measure: plain("unit of measure"),
    price: plain("price"),
    unit_cost: plain("cost of a unit"),
    ...posUpdated,
    ...inserted,
    price_tiers: plain("price tiers"),
    images: plain("addresses of pictures"),
  } satisfies FieldsOf<typeof product>,
  inventory: {
    ...service,
    product_id: "own",
    name: plain("name of the product"),
    sku: plain("stock-keeping unit"),
    barcode: plain("track-and-trace tag"),
    total_quantity: plain("quantity"),
    ...posUpdated,
    ...inserted,
    location_data: plain("quantity at each location"),
    product: "own",
  } satisfies FieldsOf<typeof inventory>,
  location: {
    ...service,
    name: plain("name"),
    pos_location_id: plain("number in the point-of-sale system"),
    pos_location_type: plain("kind of location"),
    ...posUpdated,
    svc_created_date: "own",
    svc_created_date_local: "own",
  } satisfies FieldsOf<typeof inventoryLocation>,
} as const;

/** The wording of all fields of a kind that are stored in one way. */
export function fieldWords(kind: keyof typeof termsFields, way: "plain" | "hashed"): string {
  const words = Object.values<Kept>(termsFields[kind]).flatMap((kept) => {
    const named: { plain?: string; hashed?: string } = kept === "own" ? {} : kept;
    return named[way] ?? [];
  });
  return words.join(", ");
}
