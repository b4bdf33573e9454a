import * as z from "zod";
import {
  decimal,
  epochDay,
  epochInstant,
  fields,
  flag,
  id,
  list,
  longText,
  money,
  number,
  optional,
  statusFlag,
  text,
  textIn,
} from "../../framework/wireFields.ts";

// The fields of Blaze's responses that the connector reads. It never reads passwords and pins of members and staff, keys of
// other services, notes, signatures and photos, which must not be stored. Amounts are dollars, instants milliseconds since
// 1970.

const place = optional(fields(text, "address", "addressLine2", "city", "state", "zipCode"));

export const shop = z.object({ shop: z.object({ id, name: text, address: place }) });

export const page = z.object({ values: z.array(z.unknown()), total: number });

export const room = z.object({ id, name: text, modified: epochInstant });
export type Room = z.output<typeof room>;

export const batch = z.object({ id, productId: text, costPerUnit: money, created: epochInstant });

export const member = z.object({
  id,
  ...fields(text, "firstName", "lastName", "middleName", "email", "primaryPhone", "sex", "consumerType"),
  dob: epochDay,
  address: place,
  ...fields(flag, "medical", "enableLoyalty"),
  identifications: list(z.object({ type: text, licenseNumber: text, expirationDate: epochDay })),
  recommendations: list(z.object({ recommendationNumber: text, expirationDate: epochDay })),
  loyaltyPoints: decimal,
  modified: epochInstant,
});
export type Member = z.output<typeof member>;

/** A category. Some lists state only its name, as text. */
const category = z
  .union([text.transform((name) => ({ name, cannabis: null })), z.object({ name: text, cannabis: flag })])
  .nullish();

export const product = z.object({
  id,
  ...fields(text, "name", "sku", "brandName", "cannabisType", "weightPerUnit", "customGramType"),
  description: longText,
  category,
  brand: z.object({ name: text }).nullish(),
  ...fields(money, "unitPrice", "salesPrice"),
  customWeight: number,
  priceRanges: list(z.object({ price: money, weightTolerance: z.object({ name: text, unitValue: text }).nullish() })),
  priceBreaks: list(z.object({ price: money, quantity: text, displayName: text })),
  assets: list(textIn("publicURL")),
  /** null if the response does not state the stock */
  quantities: z
    .array(z.object({ inventoryId: text, quantity: number }))
    .nullish()
    .transform((value) => value ?? null),
  modified: epochInstant,
});
export type Product = z.output<typeof product>;

/** A promotion that was applied to an item or a cart. Client code names the fields; a response may lack the name. */
const promotion = z.object({ promotionId: text, rewardId: text, name: text, couponCode: text, amount: money });
export type Promotion = z.output<typeof promotion>;

const item = z.object({
  ...fields(text, "productId", "productName", "discountType", "status"),
  product: z.object({ name: text }).nullish(),
  ...fields(number, "quantity", "discount"),
  ...fields(money, "unitPrice", "overridePrice", "calcDiscount"),
  promotionReqs: list(promotion),
});
export type Item = z.output<typeof item>;

const taxResult = z
  .object({
    ...fields(money, "totalCityTax", "totalCountyTax", "totalStateTax", "totalFedTax", "totalExciseTax"),
    totalALExciseTax: money,
  })
  .partial();

const cart = z.object({
  items: list(item),
  ...fields(money, "subTotal", "totalDiscount", "calcCartDiscount", "totalCalcTax", "totalPreCalcTax", "deliveryFee"),
  ...fields(money, "deliveryDiscount", "creditCardFee", "appliedAfterTaxDiscount", "balanceDue", "totalFees"),
  ...fields(money, "tipAmount", "roundAmt", "total", "refundAmount", "finalRefundAmt"),
  /** the subtotal after the cart's own discount */
  subTotalDiscount: money,
  ...fields(text, "promoCode", "deliveryDiscountType", "refundOption", "paymentOption", "consumerType"),
  promotionReqLogs: list(promotion),
  ...fields(flag, "enableDeliveryFee", "enableCreditCardFee"),
  splitPayment: z
    .object({ cashAmt: money, creditDebitAmt: money, checkAmt: money, cashlessAmt: money, storeCreditAmt: money })
    .partial()
    .nullish(),
  taxResult: taxResult.nullish(),
});
export type Cart = z.output<typeof cart>;

/** A transaction in a list, which may lack its lines. */
export const listed = z.object({
  id,
  ...fields(text, "status", "transType"),
  deleted: statusFlag,
  cart: z.object({ items: z.array(z.unknown()).nullish() }).nullish(),
});

export const transaction = z.object({
  id,
  ...fields(text, "status", "transType", "sellerId", "memberId"),
  deleted: statusFlag,
  ...fields(epochInstant, "completedTime", "processedTime", "endTime", "created"),
  cart,
});
export type Transaction = z.output<typeof transaction>;
