import * as z from "zod";
import {
  decimal,
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

// The fields of Treez's responses that the connector reads. It never reads notes, physicians, names of caregivers and of
// staff, and addresses of deliveries.

/** Every response states by `resultCode` whether it succeeded. */
export const envelope = z.object({
  resultCode: text,
  resultReason: text,
  data: z.unknown().optional(),
  ticketList: z.unknown().optional(),
});
export type Envelope = z.output<typeof envelope>;

export const token = z.object({
  resultCode: text,
  access_token: text,
  expires_in: number,
});

/** Whether Treez accepts a signature. */
export const validation = z.object({ valid: flag });

export const productPage = z.object({
  total_count: number,
  product_list: z.array(z.unknown()),
});

const configurable = z
  .object({
    name: text,
    brand: text,
    size: text,
    amount: number,
    uom: text,
    subtype: text,
    sub_type: text,
    total_mg_thc: number,
    total_flower_weight_g: number,
    total_concentrate_weight_g: number,
    external_id: text,
  })
  .partial();

export const product = z.object({
  product_id: id,
  last_updated_at: instant,
  category_type: text,
  sellable_quantity: number,
  sellable_quantity_detail: list(
    z.object({ location: text, location_id: text, inventory_type: text, sellable_quantity: number }),
  ),
  product_configurable_fields: configurable.nullish().transform((value) => value ?? {}),
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
  first_name: text,
  middle_name: text,
  last_name: text,
  birthday: text,
  gender: text,
  drivers_license: text,
  drivers_license_expiration: text,
  state_medical_id: text,
  permit_expiration: text,
  email: text,
  phone: text,
  is_caregiver: flag,
  caregiver_license_number: text,
  rewards_balance: decimal,
  rewards_type: text,
  patient_type: text,
  last_update: instant,
  merged_into_customer_id: text,
  addresses: list(z.object({ street1: text, street2: text, city: text, state: text, zipcode: text, primary: flag })),
});
export type Customer = z.output<typeof customer>;

const discount = z.object({
  discount_title: text,
  discount_amount: money,
  discount_method: text,
  savings: money,
});

const item = z.object({
  product_id: text,
  product_size_name: text,
  product_type: text,
  quantity: number,
  price_sell: money,
  product_unit: text,
  product_amount: number,
  location_name: text,
  discounts: list(discount),
  POS_discounts: list(discount),
  reward_dollars: money,
  tax: list(z.object({ tax_name: text, rate: number, amount: money })),
});

export const ticket = z.object({
  ticket_id: id,
  order_status: text,
  customer_id: text,
  ticket_patient_type: text,
  date_closed: instant,
  last_updated_at: instant,
  post_tax_pricing: flag,
  sub_total: money,
  tax_total: money,
  discount_total: money,
  total: money,
  original_ticket_id: text,
  employee_id: text,
  created_by_employee: z.object({ employee_id: text }).nullish(),
  payment_fee: money,
  fees: list(z.object({ type: text, total_amount: money })),
  payments: list(z.object({ payment_method: text, amount_paid: money, processor_fee: money, processor_tip: money })),
  items: list(item),
});
export type Ticket = z.output<typeof ticket>;
export type TicketItem = Ticket["items"][number];
