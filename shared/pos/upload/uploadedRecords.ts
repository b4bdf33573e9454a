import * as z from "zod";
import { genders, idTypes, medicalOrRec, productCategories, transactionTypes } from "../../api/enumerations.ts";
import type { RecordKind } from "../../api/kinds.ts";
import { birthDay, createFieldError, day, text } from "../../cells/cellFields.ts";
import type { Connection } from "../connector.ts";
import { namedPayment } from "../framework/conversions/paymentType.ts";
import { productCategory } from "../framework/conversions/productCategory.ts";
import { returned } from "../framework/conversions/reversals.ts";
import { fields } from "../framework/wireFields.ts";
import { emptyProduct, type PosRecords, type PosSale } from "../posRecords.ts";
import type { AmountUnit } from "./amounts.ts";
import {
  amount,
  code,
  decimalText,
  flag,
  id,
  instant,
  list,
  moneyFields,
  needed,
  number,
  oneOf,
  record,
} from "./fields.ts";

/** The schemas of uploaded records, by kind. Their fields are those of `PosRecords`. */
export type UploadedRecords = { [Kind in RecordKind]: z.ZodType<PosRecords[Kind]> };

/**
 * The schemas for the files of a business. All sales of a business have the same type, retail or wholesale.
 *
 * @param unit the unit of the amounts of money in the file; the amounts in records are always in cents
 */
export function uploadedRecords(
  { timezone, businessType }: Pick<Connection, "timezone" | "businessType">,
  unit: AmountUnit = "cents",
): UploadedRecords {
  const time = instant(timezone);
  const money = moneyFields(unit);
  return {
    location: record({ pos_location_id: id, name: needed, pos_location_type: text, pos_updated_date: time }),
    product: product(time, money),
    customer: customer(time),
    inventory: inventory(time),
    sale: businessType === "retail" ? retailSale(time, money) : wholesaleSale(time, money),
  };
}

type Time = ReturnType<typeof instant>;
type Money = ReturnType<typeof moneyFields>;

const product = (time: Time, { price, unitCost }: Money) =>
  record({
    pos_product_id: id,
    name: needed,
    svc_product_category_name: oneOf(productCategories),
    ...fields(text, "pos_product_category_name", "pos_product_subcategory_name", "pos_strain_name", "pos_brand_name"),
    ...fields(text, "description", "pos_unit_of_measure"),
    medicated: flag,
    sku: code,
    ...fields(amount, "svc_net_weight_grams", "thc_mg_per_unit"),
    price,
    unit_cost: unitCost,
    pos_updated_date: time,
    price_tiers: list(
      record({
        tier_name: text,
        tier_price: price.pipe(z.number(createFieldError())),
        pos_tier_type: needed,
        pos_tier_type_condition_value: needed,
        tier_valid_until_date: time,
      }),
    ).transform(orNone),
    images: list(record({ url: needed, description: text })).transform(orNone),
  }).transform((product) => ({
    ...emptyProduct,
    ...product,
    svc_product_category_name:
      product.svc_product_category_name ??
      productCategory(product.pos_product_category_name, product.pos_product_subcategory_name),
  }));

const customer = (time: Time) =>
  record({
    pos_customer_id: id,
    ...fields(text, "first_name", "last_name", "middle_name", "address_1", "address_2", "city", "state"),
    ...fields(text, "email_address", "pos_identification_type", "pos_customer_type"),
    ...fields(code, "zip_code", "phone", "cell_phone", "medical_id", "drivers_license_id", "other_id"),
    dob: birthDay,
    ...fields(day, "medical_id_expiration_date", "drivers_license_expiration_date", "other_id_expiration_date"),
    gender: oneOf(genders),
    svc_customer_type: oneOf(medicalOrRec),
    ...fields(flag, "caregiver", "loyalty_member", "anonymous"),
    loyalty_points: decimalText,
    pos_updated_date: time,
  });

const inventory = (time: Time) =>
  record({
    pos_inventory_id: id,
    name: needed,
    ...fields(code, "pos_product_id", "sku", "barcode"),
    total_quantity: number.pipe(z.number(createFieldError())),
    pos_updated_date: time,
    location_data: list(
      record({
        pos_location_id: id,
        name: text,
        pos_location_type: text,
        quantity: number.pipe(z.number(createFieldError())),
      }),
    ).transform(orNone),
  });

const deduction = ({ cents }: Money) => record({ flat_amount: cents, pct_amount: number, name: text });
const fee = ({ cents }: Money) =>
  record({ fee_name: text, percent_amount: number, flat_amount: cents, included_in_subtotal: flag });

const lineItem = (money: Money) =>
  record({
    pos_product_id: code,
    product_name: text,
    ...fields(number, "num_units", "grams"),
    price_per_unit: money.unitPrice,
    thc_mg_per_unit: amount,
    product_type: oneOf(productCategories),
    cannabis_product: flag,
    ...fields(list(deduction(money)), "line_item_discounts", "line_item_taxes"),
    line_item_fees: list(fee(money)),
  });

/** The type may be a name of the business, which is read as that of a POS. */
const payment = ({ cents }: Money) =>
  record({ type: text, amount_paid: cents.pipe(z.number(createFieldError())) }).transform(({ type, amount_paid }) =>
    namedPayment(amount_paid, type),
  );

const saleCustomer = record({
  pos_customer_id: code,
  type: oneOf(medicalOrRec),
  dob: birthDay,
  id_type: oneOf(idTypes),
  id_expiration_date: day,
});
const nobody = saleCustomer.parse({});

const invoice = ({ cents }: Money) =>
  record({ id: code, pos_customer_id: code, memo: text, open_balance: cents, total: cents });

const saleFields = (time: Time, money: Money) => ({
  pos_sale_id: id,
  ...fields(money.cents, "subtotal", "total_discounts", "tax_paid", "total_paid"),
  date: time.pipe(z.string(createFieldError())),
  transaction_type: oneOf(transactionTypes),
  employee_id: code,
  line_items: list(lineItem(money)),
  ...fields(list(deduction(money)), "discounts", "taxes"),
  payments: list(payment(money)),
  fees: list(fee(money)),
});

/** The exports of other services contain the sale type. Only the type of the business is valid. */
const saleType = <const Type extends PosSale["type"]>(type: Type) => oneOf([type]).transform(() => type);

const retailSale = (time: Time, money: Money) =>
  record({
    ...saleFields(time, money),
    type: saleType("retail"),
    customer: saleCustomer.nullish().transform((customer) => customer ?? nobody),
  }).transform(signed);

const wholesaleSale = (time: Time, money: Money) => {
  const noInvoice = invoice(money).parse({});
  return record({
    ...saleFields(time, money),
    type: saleType("wholesale"),
    customer: saleCustomer.nullish().transform((customer) => customer ?? null),
    invoice: invoice(money)
      .nullish()
      .transform((found) => found ?? noInvoice),
  }).transform(signed);
};

/** Makes the amounts of a return negative. In the file they may be positive or negative. */
function signed<Sale extends PosSale>(sale: Sale): Sale {
  return sale.transaction_type === "return" ? returned(sale) : sale;
}

/** Returns the list, or null if it is empty. */
function orNone<Element>(elements: Element[]): Element[] | null {
  return elements.length === 0 ? null : elements;
}
