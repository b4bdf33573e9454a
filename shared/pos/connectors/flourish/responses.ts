import * as z from "zod";
import { flag, id, instant, list, longText, money, number, statusFlag, text } from "../../framework/wireFields.ts";

// The fields of Flourish's responses that the connector reads. Amounts are dollars.

/** The status in the body of a response. It can be 500 although the HTTP status is 200. */
export const stated = z.object({
  status: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number),
    ])
    .nullish(),
});

export const page = stated.extend({ meta: z.object({ total: number }), data: z.array(z.unknown()) });

export const facility = z.object({
  id,
  facility_name: text,
  alias: text,
  address_line_1: text,
  city: text,
  state: text,
  zip_code: text,
});

/** A buyer, which is a company. */
export const destination = z.object({
  id,
  name: text,
  alias: text,
  license_number: text,
  company_email: text,
  company_phone_number: text,
  address_line_1: text,
  address_line_2: text,
  city: text,
  state: text,
  zip_code: text,
  last_updated_timestamp: instant,
});
export type Destination = z.output<typeof destination>;

export const item = z.object({
  id,
  item_name: text,
  sku: text,
  item_description: longText,
  inventory_type: text,
  item_category: text,
  item_class: text,
  strain_name: text,
  brand: z.union([text, z.object({ name: text }).transform(({ name }) => name)]).nullish(),
  price: money,
  cost: money,
  uom: text,
  unit_weight: number,
  weight_uom: text,
  last_updated_timestamp: instant,
});
export type Item = z.output<typeof item>;

export const stock = z.object({
  /** null for shipped stock */
  inventory_id: id.nullable(),
  item_id: text,
  item_name: text,
  sku: text,
  package_id: text,
  /** null for stock without a package, such as supplies */
  package_status: text,
  qty: number,
  location_id: text,
  location_name: text,
  area_id: text,
  area_name: text,
  last_updated_timestamp: instant,
});
export type Stock = z.output<typeof stock>;

const line = z.object({
  item_id: text,
  item_name: text,
  order_qty: number,
  item_uom: text,
  unit_price: money,
  discount_price: money,
  qty_returned: number,
});
export type Line = z.output<typeof line>;

export const order = z.object({
  id,
  order_status: text,
  shipped_timestamp: instant,
  delivered_timestamp: instant,
  order_timestamp: instant,
  sub_total_price: money,
  taxes: money,
  total_charges: money,
  delivery_fee: money,
  total_discounts: money,
  total_price: money,
  total_paid: money,
  total_returns: money,
  total_refund: money,
  destination: z.object({ id: text }).nullish(),
  sales_rep: z.object({ id: text }).nullish(),
  order_lines: list(line),
  discounts: list(
    z.object({
      discount_name: text,
      promo_code: text,
      amount: money,
      discount_value: number,
      method: text,
      level: text,
    }),
  ),
});
export type Order = z.output<typeof order>;

const person = {
  dob: text,
  patient_id: text,
  medical_card_expiration: text,
  customer_type: text,
};

/** A person who buys at retail. */
export const customer = z.object({
  id,
  ...person,
  first_name: text,
  middle_name: text,
  last_name: text,
  email: text,
  phone: text,
  state_id: text,
  state_id_expiration_timestamp: text,
  merged_customer_id: text,
  address: list(
    z.object({
      address_line_1: text,
      address_line_2: text,
      city: text,
      state: text,
      postcode: text,
      active: flag,
      is_primary: flag,
    }),
  ),
  last_updated_timestamp: instant,
});
export type Customer = z.output<typeof customer>;

const transaction = z.object({
  amount: money,
  change_given: money,
  is_successful: statusFlag,
  is_voided: statusFlag,
  payment_type: text,
  reference_token: text,
});

/** An order of a person. Flourish does not show the fields of its `applied_discounts`. */
export const retailOrder = order.extend({
  completed_timestamp: instant,
  customer_id: text,
  customer: z.object(person).nullish(),
  transactions: list(transaction),
});
export type RetailOrder = z.output<typeof retailOrder>;
