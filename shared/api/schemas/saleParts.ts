import * as z from "zod";
import { idTypes, medicalOrRec, paymentTypes } from "../enumerations.ts";
import { productCategory } from "./codes.ts";
import { cents, date, thcPerUnit, uuid } from "./scalars.ts";

const text = z.string().nullable();
const amount = cents.nullable();
const number = z.number().nullable();
const share = number.describe("Share, 0.08 for 8 %");

const deduction = {
  flat_amount: amount.describe("Amount, cents"),
  pct_amount: share,
  name: text.describe("Name in the POS"),
};

export const discount = z
  .strictObject(deduction)
  .meta({ id: "Discount", description: "A discount on a line or on the whole sale" });

export const tax = z.strictObject(deduction).meta({ id: "Tax", description: "A tax on a line or on the whole sale" });

export const fee = z
  .strictObject({
    fee_name: text.describe("Name in the POS"),
    percent_amount: share,
    flat_amount: amount.describe("Amount, cents"),
    included_in_subtotal: z.boolean().nullable().describe("Whether the subtotal includes the fee"),
  })
  .meta({ id: "Fee", description: "A fee on a line or on the whole sale" });

export const lineItem = z
  .strictObject({
    product_id: uuid.nullable().describe("The product"),
    pos_product_id: text.describe("Id in the POS"),
    product_name: text.describe("Name in the POS"),
    num_units: number.describe("Number of units"),
    price_per_unit: number.describe("Price of one unit, cents"),
    grams: number.describe("Net weight of all units in grams, never an amount of THC"),
    thc_mg_per_unit: thcPerUnit,
    product_type: productCategory.nullable(),
    cannabis_product: z.boolean().nullable().describe("Whether it contains cannabis"),
    line_item_discounts: z.array(discount).describe("Discounts of this line"),
    line_item_taxes: z.array(tax).describe("Taxes of this line"),
    line_item_fees: z.array(fee).describe("Fees of this line"),
  })
  .meta({ id: "LineItem", description: "A line of a sale: one product" });

export const payment = z
  .strictObject({
    type: z.enum(paymentTypes).describe("Means of payment"),
    amount_paid: cents.describe("Cents paid by this means"),
  })
  .meta({ id: "Payment", description: "A payment of a sale" });

/** The buyer, as far as the POS names one (docs/spec.md#sales). */
export const saleCustomer = z
  .strictObject({
    customer_id: uuid.nullable().describe("Id in the service"),
    pos_customer_id: text.describe("Id in the POS"),
    type: z.enum(medicalOrRec).nullable().describe("Medical or adult use"),
    dob: date.nullable().describe("Date of birth"),
    id_type: z.enum(idTypes).nullable().describe("Kind of identification that was shown"),
    id_expiration_date: text.describe("Expiry of the identification"),
  })
  .meta({ id: "SaleCustomer", description: "The buyer, as far as the POS knows" });
