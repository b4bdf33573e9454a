import * as z from "zod";
import { genders, idTypes, medicalOrRec, productCategories, transactionTypes } from "../../api/enumerations.ts";
import type { RecordKind } from "../../api/kinds.ts";
import { birthDay, createFieldError, day, text } from "../../cells/cellFields.ts";
import type { Connection } from "../connector.ts";
import { namedPayment } from "../framework/conversions/paymentType.ts";
import { productCategory } from "../framework/conversions/productCategory.ts";
import { returned } from "../framework/conversions/reversals.ts";
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
    pos_product_category_name: text,
    pos_product_subcategory_name: text,
    pos_strain_name: text,
    pos_brand_name: text,
    medicated: flag,
    sku: code,
    description: text,
    svc_net_weight_grams: amount,
    thc_mg_per_unit: amount,
    pos_unit_of_measure: text,
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
    first_name: text,
    last_name: text,
    middle_name: text,
    dob: birthDay,
    address_1: text,
    address_2: text,
    city: text,
    state: text,
    zip_code: code,
    phone: code,
    cell_phone: code,
    email_address: text,
    gender: oneOf(genders),
    pos_identification_type: text,
    pos_customer_type: text,
    svc_customer_type: oneOf(medicalOrRec),
    medical_id: code,
    medical_id_expiration_date: day,
    drivers_license_id: code,
    drivers_license_expiration_date: day,
    other_id: code,
    other_id_expiration_date: day,
    caregiver: flag,
    loyalty_member: flag,
    loyalty_points: decimalText,
    anonymous: flag,
    pos_updated_date: time,
  });

const inventory = (time: Time) =>
  record({
    pos_inventory_id: id,
    pos_product_id: code,
    name: needed,
    sku: code,
    barcode: code,
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
    num_units: number,
    price_per_unit: money.unitPrice,
    grams: number,
    thc_mg_per_unit: amount,
    product_type: oneOf(productCategories),
    cannabis_product: flag,
    line_item_discounts: list(deduction(money)),
    line_item_taxes: list(deduction(money)),
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
  subtotal: money.cents,
  total_discounts: money.cents,
  tax_paid: money.cents,
  total_paid: money.cents,
  date: time.pipe(z.string(createFieldError())),
  transaction_type: oneOf(transactionTypes),
  employee_id: code,
  line_items: list(lineItem(money)),
  discounts: list(deduction(money)),
  taxes: list(deduction(money)),
  payments: list(payment(money)),
  fees: list(fee(money)),
});

/**
 * Files may contain the sale type, because the exports of other services contain it. Only the type of the business is
 * valid.
 */
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
