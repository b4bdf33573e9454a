import * as z from "zod";
import { complianceStatuses, transactionTypes } from "../enumerations.ts";
import { posTypeName } from "./codes.ts";
import { discount, fee, lineItem, payment, saleCustomer, tax } from "./saleParts.ts";
import { cents, dateTime, localDateTime, uuid } from "./scalars.ts";

const text = z.string().nullable();
const amount = cents.nullable();
const noAdvice = "Facts of the day of sale, no legal advice: a lawyer of the state must confirm the rules";

/** A sale to a consumer (docs/spec.md#sales). */
export const retailSale = z
  .strictObject({
    id: uuid.describe("Id of the sale"),
    pos_sale_id: text.describe("Id in the POS"),
    crb_id: uuid.describe("Owning CRB"),
    subtotal: amount.describe(
      "Cents: units × price of every line − `total_discounts` + all fees with `included_in_subtotal`",
    ),
    total_discounts: amount.describe("Cents: discounts of the lines + discounts of the whole sale"),
    tax_paid: amount.describe("Cents: taxes of the lines + taxes of the whole sale"),
    total_paid: amount.describe(
      "Cents: `subtotal` + `tax_paid` + all other fees; also payments + for wholesale, `invoice.open_balance`",
    ),
    date: dateTime.describe("Time of sale, UTC"),
    local_date: localDateTime.describe("Time of sale in the CRB's time zone, `yyyy-MM-dd HH:mm:ss.SSS`"),
    svc_created_date: dateTime.describe("When the record was created in the service"),
    svc_updated_date: dateTime.describe("When the record last changed in the service"),
    transaction_type: z.enum(transactionTypes).nullable().describe("Sale, return or adjustment"),
    pos_name: posTypeName.describe("Source POS"),
    type: z.literal("retail").describe("Kind of sale"),
    employee_id: text.optional().describe("Id of the employee in the POS"),
    line_items: z.array(lineItem).describe("The sold products"),
    discounts: z.array(discount).describe("Discounts on the whole sale"),
    taxes: z.array(tax).describe("Taxes on the whole sale"),
    payments: z.array(payment).describe("Payments"),
    customer: saleCustomer.describe("The buyer"),
    fees: z.array(fee).describe("Fees on the whole sale"),
    compliance_status: z.enum(complianceStatuses).nullable().describe(`What the sale checks found. ${noAdvice}`),
    compliance_exceptions: z
      .array(z.string())
      .nullable()
      .describe(`Rules that the sale breaks, with value and limit. ${noAdvice}`),
    compliance_warnings: z
      .array(z.string())
      .nullable()
      .describe(`Unusual facts, and rules whose violation the record cannot prove. ${noAdvice}`),
  })
  .meta({ id: "RetailSale", description: "A sale to a consumer" });

/**
 * A sale to another business (docs/spec.md#sales): in contrast to a retail sale, it has an invoice and no compliance
 * fields.
 */
export const wholesaleSale = retailSale
  .omit({ compliance_status: true, compliance_exceptions: true, compliance_warnings: true })
  .extend({
    type: z.literal("wholesale").describe("Kind of sale"),
    customer: saleCustomer.nullable().describe("Buyer, if known"),
    invoice: z
      .strictObject({
        id: text.describe("Id of the invoice"),
        pos_customer_id: text.describe("The buyer's id in the POS"),
        memo: text.describe("Note"),
        open_balance: amount.describe("Unpaid amount, cents"),
        total: amount.describe("Invoice total, cents"),
      })
      .describe("Invoice"),
  })
  .meta({ id: "WholesaleSale", description: "A sale to another business, with an invoice" });

/** A sale of either kind, distinguished by `type`. */
export const sale = z
  .discriminatedUnion("type", [retailSale, wholesaleSale])
  .meta({ id: "Sale", description: "A sale to a consumer or to another business; `type` says which" });
