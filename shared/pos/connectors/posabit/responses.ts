import * as z from "zod";
import {
  fields,
  flag,
  id,
  imageUrl,
  instant,
  list,
  longText,
  money,
  number,
  text,
} from "../../framework/wireFields.ts";

// The fields of POSaBIT's responses that the connector reads. Amounts are cents.

/** A page of a list. Its rows are the only array. Version 2 states the pages, version 3 the rows per page. */
export const page = z.record(z.string(), z.unknown()).transform((body, context) => {
  const [rows, ...others] = Object.values(body).filter((value) => Array.isArray(value));
  const count = (name: string) => number.safeParse(body[name]).data ?? null;
  const [total, size] = [count("total_records"), count("per_page") ?? 0];
  const pages = count("total_pages") ?? (total !== null && size > 0 ? Math.ceil(total / size) : null);
  if (rows && others.length === 0 && pages !== null) return { rows: rows.map(unwrapped), total, pages };
  context.addIssue({ code: "custom", message: "no_page" });
  return z.NEVER;
});

/** Unwraps a row of version 3: `{customer: {...}}`, or with lists: `{incoming_order: {...}, order_items: [...]}`. */
function unwrapped(row: unknown): unknown {
  const values = typeof row === "object" && row !== null && !Array.isArray(row) ? Object.values(row) : [];
  const [inner, ...others] = values.filter((value) => !Array.isArray(value));
  return typeof inner === "object" && inner !== null && others.length === 0 ? { ...(row as object), ...inner } : row;
}

/** POSaBIT's description of a venue. */
export const venueInfo = z.object({
  name: text.refine((name) => name !== null, { error: "no_name" }).transform(String),
  ...fields(text, "address", "street_address_line_1", "city", "state", "zip_code", "timezone"),
  tax_rates: list(z.object({ price_included: flag })),
});
export type VenueInfo = z.output<typeof venueInfo>;

/** An amount in cents. A fraction of a cent would mean another unit, so such an amount is rejected. */
const amount = money.refine((value) => value === null || Number.isInteger(Number(value)), { error: "no_cents" });

export const customer = z.object({
  id,
  ...fields(text, "first_name", "last_name", "email", "telephone", "birthday", "drivers_license", "gender", "address"),
  ...fields(text, "city", "state", "zipcode"),
  loyalty_member: flag,
  loyalty: flag.catch(null),
  updated_at: instant,
});
export type Customer = z.output<typeof customer>;

/** A lot of a product, which POSaBIT calls inventory. */
export const lot = z.object({
  id,
  ...fields(text, "product_id", "name", "sku", "brand", "category", "strain", "unit"),
  description: longText,
  price: amount,
  /** sold by weight, at prices that the lot does not state */
  bulk_item: flag,
  /** the name of price tiers, whose prices the lot does not state */
  tier_name: text,
  quantity_on_hand: number,
  image: list(imageUrl),
  active: flag,
  /** names of rooms, with the quantity in each room */
  rooms: list(z.tuple([text, number], z.unknown())),
  updated_at: instant,
});
export type Lot = z.output<typeof lot>;

/** The unit cost of a lot. */
export const manifestItem = z.object({ inventory_id: id, cost_per_unit: number, updated_at: instant });

const item = z.object({
  ...fields(text, "product_id", "product_name", "category", "unit_of_weight"),
  is_marijuana: flag,
  ...fields(number, "quantity", "unit_weight", "weight_in_grams"),
  ...fields(amount, "sub_total", "discount", "tax", "total"),
  discount_list: list(z.object({ coupon_name: text })),
});
export type Item = z.output<typeof item>;

export const sale = z.object({
  id,
  ...fields(text, "ordered_at", "ordered_at_local", "status", "sale_type", "customer_id", "user_id"),
  is_medical: flag,
  ...fields(amount, "sub_total", "discount", "tax", "total"),
  updated_at: instant,
  items: list(item),
  sales_tenders: list(z.object({ payment_method_name: text, subtotal: amount, total: amount })),
});
export type Sale = z.output<typeof sale>;
