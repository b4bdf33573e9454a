import * as z from "zod";
import { idTypes, medicalOrRec, paymentTypes, productCategories } from "../enumerations.ts";
import { date, uuid } from "./scalars.ts";

const text = z.string().nullable();
const amount = z.number().nullable();
const share = amount.describe("Share, 0.08 for 8 %");

const deduction = {
  flat_amount: amount.describe("Cents"),
  pct_amount: share,
  name: text,
};

/** Contract 9.16.2. */
export const discount = z.strictObject(deduction).meta({ id: "Discount" });

/** Contract 9.16.3. */
export const tax = z.strictObject(deduction).meta({ id: "Tax" });

/** Contract 9.16.4. */
export const fee = z
  .strictObject({
    fee_name: text,
    percent_amount: share,
    flat_amount: amount.describe("Cents"),
    included_in_subtotal: z.boolean().nullable().describe("Whether the subtotal already holds it"),
  })
  .meta({ id: "Fee" });

/** Contract 9.16.1. */
export const lineItem = z
  .strictObject({
    product_id: uuid.nullable(),
    pos_product_id: text.describe("Id inside the POS"),
    product_name: text.describe("Name in the POS"),
    num_units: amount.describe("Units bought"),
    price_per_unit: amount.describe("Price of one unit, cents"),
    grams: amount.describe("Weight in grams"),
    product_type: z.enum(productCategories).nullable().describe("Standardised category"),
    cannabis_product: z.boolean().nullable().describe("Whether it contains cannabis"),
    line_item_discounts: z.array(discount),
    line_item_taxes: z.array(tax),
    line_item_fees: z.array(fee),
  })
  .meta({ id: "LineItem" });

/** Contract 9.16.5. */
export const payment = z
  .strictObject({
    type: z.enum(paymentTypes).describe("Means of payment"),
    amount_paid: z.number().describe("Cents paid by this means"),
  })
  .meta({ id: "Payment" });

/** Who bought, as far as the POS tells (contract 9.16.6). */
export const saleCustomer = z
  .strictObject({
    customer_id: uuid.nullable().describe("Id in the service"),
    pos_customer_id: text.describe("Id inside the POS"),
    type: z.enum(medicalOrRec).nullable().describe("Medical or adult use"),
    dob: date.nullable().describe("Date of birth"),
    id_type: z.enum(idTypes).nullable().describe("Identification shown"),
    id_expiration_date: text.describe("Its expiry"),
  })
  .meta({ id: "SaleCustomer" });
