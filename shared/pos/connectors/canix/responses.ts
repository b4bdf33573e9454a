import * as z from "zod";
import { flag, id, instant, list, longText, money, number, statusFlag, text } from "../../framework/wireFields.ts";

// The fields of Canix's responses that the connector reads. Amounts are dollars.

export const rows = z.array(z.unknown());

const place = z
  .object({ street: text, street2: text, city: text, state: text, postal_code: text })
  .partial()
  .nullish()
  .transform((value) => value ?? {});

export const facility = z.object({ id, name: text, address: place });

export const room = z.object({ id, name: text, is_active: flag, updated_at: instant });
export type Room = z.output<typeof room>;

export const customer = z.object({
  id,
  company_name: text,
  contact_name: text,
  email: text,
  phone: text,
  facility_license_number: text,
  license_expiration_date: text,
  license_type: text,
  address: place,
  updated_at: instant,
});
export type Customer = z.output<typeof customer>;

const named = z
  .object({ name: text })
  .nullish()
  .transform((value) => value?.name ?? null);

export const item = z.object({
  id,
  name: text,
  sku: text,
  description: longText,
  type: z.object({ name: text, product_category: text }).partial().nullish(),
  sub_type: named,
  strain: named,
  brand: named,
  product_brand: named,
  weight_unit: text,
  unit_weight: number,
  unit_weight_unit: text,
  current_standard_cost: z.object({ standard_cost_amount: money, standard_cost_currency: text }).partial().nullish(),
  updated_at: instant,
});
export type Item = z.output<typeof item>;

const one = z.object({ id: text, name: text }).partial().nullish();

export const stockPackage = z.object({
  id,
  tag: text,
  facility_id: text,
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
  unit_price: money,
  total_price: money,
  discount,
});
export type Content = z.output<typeof content>;

export const salesOrder = z.object({
  id,
  name: text,
  status: text,
  subtotal: money,
  /** the amount of the order's discount */
  discount: money,
  /** the order's discount; despite its name, it is no credit */
  sales_order_credit: discount,
  credits: money,
  local_tax_rate: number,
  state_tax_rate: number,
  other_tax_rate: number,
  total_cultivation_tax: money,
  total_price: money,
  total_paid: money,
  remaining_balance: money,
  delivery_date: text,
  updated_at: instant,
  customer: one,
  sales_representative: one,
  contents: list(content),
  payments: list(z.object({ amount: money, reference_number: text })),
});
export type SalesOrder = z.output<typeof salesOrder>;
