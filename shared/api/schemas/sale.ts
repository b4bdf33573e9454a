import * as z from "zod";
import { complianceStatuses, posTypeNames, transactionTypes } from "../enumerations.ts";
import { discount, fee, lineItem, payment, saleCustomer, tax } from "./saleParts.ts";
import { dateTime, localDateTime, uuid } from "./scalars.ts";

const text = z.string().nullable();
const amount = z.number().nullable();

/** A sale to a consumer (contract 9.14). */
export const retailSale = z
  .strictObject({
    id: uuid,
    pos_sale_id: text.describe("Id inside the POS"),
    crb_id: uuid.describe("Owning CRB"),
    subtotal: amount.describe("Cents before tax"),
    total_discounts: amount.describe("Cents"),
    tax_paid: amount.describe("Cents"),
    total_paid: amount.describe("Price plus tax, cents"),
    date: dateTime.describe("Time of sale"),
    local_date: localDateTime,
    svc_created_date: dateTime.describe("Inserted in the service"),
    svc_updated_date: dateTime.describe("Inserted or updated in the service"),
    transaction_type: z.enum(transactionTypes).nullable(),
    pos_name: z.enum(posTypeNames).describe("Source POS"),
    type: z.literal("retail"),
    employee_id: text.optional(),
    line_items: z.array(lineItem),
    discounts: z.array(discount).describe("On the whole sale"),
    taxes: z.array(tax).describe("On the whole sale"),
    payments: z.array(payment),
    customer: saleCustomer,
    fees: z.array(fee).describe("On the whole sale"),
    compliance_status: z.enum(complianceStatuses).nullable(),
    compliance_exceptions: z.array(z.string()).nullable().describe("Violations found"),
    compliance_warnings: z.array(z.string()).nullable().describe("Warnings found"),
  })
  .meta({ id: "RetailSale" });

/** A sale to another business (contract 9.15): without compliance, with an invoice. */
export const wholesaleSale = retailSale
  .omit({ compliance_status: true, compliance_exceptions: true, compliance_warnings: true })
  .extend({
    type: z.literal("wholesale"),
    customer: saleCustomer.nullable().describe("Buyer, if known"),
    invoice: z.strictObject({
      id: text,
      pos_customer_id: text.describe("The buyer's id inside the POS"),
      memo: text.describe("Note"),
      open_balance: amount.describe("Amount still open, cents"),
      total: amount.describe("Invoice total, cents"),
    }),
  })
  .meta({ id: "WholesaleSale" });

/** Either kind; `type` tells them apart. */
export const sale = z.discriminatedUnion("type", [retailSale, wholesaleSale]).meta({ id: "Sale" });
