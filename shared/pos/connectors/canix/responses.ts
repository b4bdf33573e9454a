import * as z from "zod";
import {
  fields,
  flag,
  id,
  instant,
  list,
  longText,
  money,
  number,
  optional,
  statusFlag,
  text,
  textIn,
} from "../../framework/wireFields.ts";

// The fields of Canix's responses that the connector reads. Amounts are dollars.

export const rows = z.array(z.unknown());

const place = optional(fields(text, "street", "street2", "city", "state", "postal_code"));

export const facility = z.object({ id, name: text, address: place });

export const room = z.object({ id, name: text, is_active: flag, updated_at: instant });
export type Room = z.output<typeof room>;

export const customer = z.object({
  id,
  ...fields(text, "company_name", "contact_name", "email", "phone", "facility_license_number"),
  ...fields(text, "license_expiration_date", "license_type"),
  address: place,
  updated_at: instant,
});
export type Customer = z.output<typeof customer>;

const named = textIn("name");

export const item = z.object({
  id,
  ...fields(text, "name", "sku", "weight_unit", "unit_weight_unit"),
  description: longText,
  type: z.object({ name: text, product_category: text }).partial().nullish(),
  sub_type: named,
  strain: named,
  brand: named,
  product_brand: named,
  unit_weight: number,
  current_standard_cost: z.object({ standard_cost_amount: money, standard_cost_currency: text }).partial().nullish(),
  updated_at: instant,
});
export type Item = z.output<typeof item>;

const one = z.object({ id: text, name: text }).partial().nullish();

export const stockPackage = z.object({
  id,
  ...fields(text, "tag", "facility_id"),
  item: z.object({ id: text, name: text, facility_id: text }).partial().nullish(),
  weight: number,
  location: one,
  is_active: statusFlag,
  updated_at: instant,
});
export type StockPackage = z.output<typeof stockPackage>;

const discount = z.object({ type: text, amount: money, reason: text }).partial().nullish();

const content = z.object({
  item: one,
  weight: number,
  weight_unit: z.union([text, z.object({ name: text }).transform(({ name }) => name)]),
  ...fields(money, "unit_price", "total_price"),
  discount,
});
export type Content = z.output<typeof content>;

export const salesOrder = z.object({
  id,
  ...fields(text, "name", "status", "delivery_date"),
  ...fields(money, "subtotal", "credits", "total_cultivation_tax", "total_price", "total_paid", "remaining_balance"),
  /** the amount of the order's discount */
  discount: money,
  /** the order's discount; despite its name, it is no credit */
  sales_order_credit: discount,
  ...fields(number, "local_tax_rate", "state_tax_rate", "other_tax_rate"),
  updated_at: instant,
  customer: one,
  sales_representative: one,
  contents: list(content),
  payments: list(z.object({ amount: money, reference_number: text })),
});
export type SalesOrder = z.output<typeof salesOrder>;
