import * as z from "zod";
import {
  anyCase,
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
  statusFlag,
  text,
} from "../../framework/wireFields.ts";

// The fields of Flowhub's responses that the connector reads. It never reads names on orders, names of staff and card
// numbers. It reads `locationId` so that a row with an unreadable store is rejected.

export const store = z.object({
  locationId: id,
  importId: id,
  ...fields(text, "locationName", "timeZone"),
  address: z
    .object({ streetAddress1: text, city: text, state: text, zip: text })
    .nullish()
    .transform((value) => value ?? { streetAddress1: null, city: null, state: null, zip: null }),
});
export type Store = z.output<typeof store>;

export const stockRow = z.object({
  ...fields(text, "locationId", "variantId", "parentProductId", "productName", "parentProductName", "sku"),
  ...fields(text, "regulatoryId", "category", "customCategoryName", "type", "strainName", "brand", "roomId"),
  ...fields(text, "roomName", "productUnitOfMeasure"),
  productId: id,
  productDescription: longText,
  productPictureURL: imageUrl,
  ...fields(number, "quantity", "productWeight", "productUnitOfMeasureToGramsMultiplier"),
  forSale: flag,
  ...fields(money, "preTaxPriceInPennies", "priceInMinorUnits", "costInMinorUnits"),
  weightTierInformation: list(z.object({ gramAmount: text, pricePerUnitInMinorUnits: money })),
  cannabinoidInformation: list(z.object({ name: text, lowerRange: number, upperRange: number, unitOfMeasure: text })),
  productUpdatedAt: instant,
});
export type StockRow = z.output<typeof stockRow>;

export const customer = z.object({
  id,
  updatedAt: instant,
  ...fields(text, "type", "name", "birthDate", "phone", "email", "streetAddress1", "streetAddress2", "city", "state"),
  zip: text,
  isLoyal: flag,
  loyaltyPoints: decimal,
});
export type Customer = z.output<typeof customer>;

const item = z.object({
  ...fields(text, "productId", "variantId", "parentProductId", "productName", "title1", "category", "type"),
  unitOfWeight: text,
  quantity: number,
  ...fields(money, "unitPrice", "totalPrice"),
  voided: statusFlag,
  itemDiscounts: list(
    z.object({
      name: text,
      couponCode: text,
      penniesOff: money,
      dollarsOff: money,
      discountAmount: money,
      percentOff: number,
    }),
  ),
  tax: list(z.object({ name: text, percentage: number, thisTaxInPennies: money })),
});

/** The totals of an order. Their keys were observed with and without capitals. */
const totals = z.preprocess(
  (value) => value ?? {},
  anyCase(fields(money, "finaltotal", "subtotal", "totaldiscounts", "totalfees", "totaltaxes")),
);

export const order = z.object({
  id,
  ...fields(text, "locationId", "customerId", "customerType", "orderStatus", "originalSaleId", "budtenderId"),
  ...fields(instant, "createdAt", "createdOn", "completedOn"),
  voided: statusFlag,
  totals,
  itemsInCart: list(item),
  payments: list(z.object({ paymentType: text, debitProvider: text, amount: money })),
});
export type Order = z.output<typeof order>;
export type OrderItem = Order["itemsInCart"][number];
