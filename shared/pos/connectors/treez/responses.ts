import * as z from "zod";
import {
  decimal,
  fields,
  flag,
  id,
  imageUrl,
  instant,
  list,
  longText,
  money,
  number,
  optional,
  statusFlag,
  text,
} from "../../framework/wireFields.ts";

// The fields of Treez's responses that the connector reads. It never reads notes, physicians, names of caregivers and of
// staff, and addresses of deliveries.

/** Every response states by `resultCode` whether it succeeded. */
export const envelope = z.object({
  ...fields(text, "resultCode", "resultReason"),
  data: z.unknown().optional(),
  ticketList: z.unknown().optional(),
});
export type Envelope = z.output<typeof envelope>;

export const token = z.object({ ...fields(text, "resultCode", "access_token"), expires_in: number });

/** Whether Treez accepts a signature. */
export const validation = z.object({ valid: flag });

export const productPage = z.object({ total_count: number, product_list: z.array(z.unknown()) });

const configurable = optional({
  ...fields(text, "name", "brand", "size", "uom", "subtype", "sub_type", "external_id"),
  ...fields(number, "amount", "total_mg_thc", "total_flower_weight_g", "total_concentrate_weight_g"),
});

export const product = z.object({
  product_id: id,
  last_updated_at: instant,
  category_type: text,
  sellable_quantity: number,
  sellable_quantity_detail: list(
    z.object({ location: text, location_id: text, inventory_type: text, sellable_quantity: number }),
  ),
  product_configurable_fields: configurable,
  pricing: z
    .object({
      price_type: text,
      price_sell: money,
      tier_name: text,
      tier_method: text,
      tier_pricing_detail: list(z.object({ start_value: text, price_per_value: money })),
    })
    .nullish(),
  product_barcodes: list(z.union([z.object({ sku: text }).transform(({ sku }) => sku), text])),
  e_commerce: z
    .object({ all_images: list(imageUrl), primary_image: imageUrl, menu_title: text, product_description: longText })
    .nullish(),
});
export type Product = z.output<typeof product>;

export const customer = z.object({
  customer_id: id,
  ...fields(text, "first_name", "middle_name", "last_name", "birthday", "gender", "drivers_license"),
  ...fields(text, "drivers_license_expiration", "state_medical_id", "permit_expiration", "email", "phone"),
  ...fields(text, "caregiver_license_number", "rewards_type", "patient_type", "merged_into_customer_id"),
  is_caregiver: flag,
  rewards_balance: decimal,
  last_update: instant,
  addresses: list(z.object({ street1: text, street2: text, city: text, state: text, zipcode: text, primary: flag })),
});
export type Customer = z.output<typeof customer>;

const discount = z.object({
  ...fields(text, "discount_title", "discount_method"),
  ...fields(money, "discount_amount", "savings"),
});

const item = z.object({
  ...fields(text, "product_id", "product_size_name", "product_type", "product_unit", "location_name"),
  ...fields(number, "quantity", "product_amount"),
  ...fields(money, "price_sell", "reward_dollars"),
  discounts: list(discount),
  POS_discounts: list(discount),
  tax: list(z.object({ tax_name: text, rate: number, amount: money })),
});

export const ticket = z.object({
  ticket_id: id,
  ...fields(text, "order_status", "customer_id", "ticket_patient_type", "original_ticket_id", "employee_id"),
  ...fields(instant, "date_closed", "last_updated_at"),
  post_tax_pricing: statusFlag,
  ...fields(money, "sub_total", "tax_total", "discount_total", "total", "payment_fee"),
  created_by_employee: z.object({ employee_id: text }).nullish(),
  fees: list(z.object({ type: text, total_amount: money })),
  payments: list(z.object({ payment_method: text, amount_paid: money, processor_fee: money, processor_tip: money })),
  items: list(item),
});
export type Ticket = z.output<typeof ticket>;
export type TicketItem = Ticket["items"][number];
