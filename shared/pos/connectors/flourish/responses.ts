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
  statusFlag,
  text,
} from "../../framework/wireFields.ts";

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
  ...fields(text, "facility_name", "alias", "address_line_1", "city", "state", "zip_code"),
});

/** A buyer, which is a company. */
export const destination = z.object({
  id,
  ...fields(text, "name", "alias", "license_number", "company_email", "company_phone_number", "address_line_1"),
  ...fields(text, "address_line_2", "city", "state", "zip_code"),
  last_updated_timestamp: instant,
});
export type Destination = z.output<typeof destination>;

export const item = z.object({
  id,
  ...fields(text, "item_name", "sku", "inventory_type", "item_category", "item_class", "strain_name", "uom"),
  weight_uom: text,
  item_description: longText,
  brand: z.union([text, z.object({ name: text }).transform(({ name }) => name)]).nullish(),
  ...fields(money, "price", "cost"),
  unit_weight: number,
  last_updated_timestamp: instant,
});
export type Item = z.output<typeof item>;

export const stock = z.object({
  /** null for shipped stock */
  inventory_id: id.nullable(),
  ...fields(text, "item_id", "item_name", "sku", "package_id", "location_id", "location_name", "area_id", "area_name"),
  /** null for stock without a package, such as supplies */
  package_status: text,
  qty: number,
  last_updated_timestamp: instant,
});
export type Stock = z.output<typeof stock>;

const line = z.object({
  ...fields(text, "item_id", "item_name", "item_uom"),
  ...fields(number, "order_qty", "qty_returned"),
  ...fields(money, "unit_price", "discount_price"),
});
export type Line = z.output<typeof line>;

export const order = z.object({
  id,
  order_status: text,
  ...fields(instant, "shipped_timestamp", "delivered_timestamp", "order_timestamp"),
  ...fields(money, "sub_total_price", "taxes", "total_charges", "delivery_fee", "total_discounts", "total_price"),
  ...fields(money, "total_paid", "total_returns", "total_refund"),
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

const person = { ...fields(text, "dob", "patient_id", "medical_card_expiration", "customer_type") };

/** A person who buys at retail. */
export const customer = z.object({
  id,
  ...person,
  ...fields(text, "first_name", "middle_name", "last_name", "email", "phone", "state_id"),
  ...fields(text, "state_id_expiration_timestamp", "merged_customer_id"),
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
  ...fields(money, "amount", "change_given"),
  ...fields(statusFlag, "is_successful", "is_voided"),
  ...fields(text, "payment_type", "reference_token"),
});

/** An order of a person. Flourish does not show the fields of its `applied_discounts`. */
export const retailOrder = order.extend({
  completed_timestamp: instant,
  customer_id: text,
  customer: z.object(person).nullish(),
  transactions: list(transaction),
});
export type RetailOrder = z.output<typeof retailOrder>;
