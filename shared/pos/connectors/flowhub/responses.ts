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

// The fields of Flowhub's responses that the connector reads. It never reads names on orders, names of staff and card
// numbers. It reads `locationId` so that a row with an unreadable store is rejected.

export const store = z.object({
  locationId: id,
  importId: id,
  locationName: text,
  timeZone: text,
  address: z
    .object({ streetAddress1: text, city: text, state: text, zip: text })
    .nullish()
    .transform((value) => value ?? { streetAddress1: null, city: null, state: null, zip: null }),
});
export type Store = z.output<typeof store>;

export const stockRow = z.object({
  locationId: text,
  productId: id,
  variantId: text,
  parentProductId: text,
  productName: text,
  parentProductName: text,
  sku: text,
  regulatoryId: text,
  category: text,
  customCategoryName: text,
  type: text,
  strainName: text,
  brand: text,
  productDescription: longText,
  productPictureURL: imageUrl,
  quantity: number,
  roomId: text,
  roomName: text,
  forSale: flag,
  productWeight: number,
  productUnitOfMeasure: text,
  productUnitOfMeasureToGramsMultiplier: number,
  preTaxPriceInPennies: money,
  priceInMinorUnits: money,
  costInMinorUnits: money,
  weightTierInformation: list(z.object({ gramAmount: text, pricePerUnitInMinorUnits: money })),
  cannabinoidInformation: list(z.object({ name: text, lowerRange: number, upperRange: number, unitOfMeasure: text })),
  productUpdatedAt: instant,
});
export type StockRow = z.output<typeof stockRow>;

export const customer = z.object({
  id,
  updatedAt: instant,
  type: text,
  name: text,
  birthDate: text,
  phone: text,
  email: text,
  streetAddress1: text,
  streetAddress2: text,
  city: text,
  state: text,
  zip: text,
  isLoyal: flag,
  loyaltyPoints: decimal,
});
export type Customer = z.output<typeof customer>;

const item = z.object({
  productId: text,
  variantId: text,
  parentProductId: text,
  productName: text,
  title1: text,
  category: text,
  type: text,
  quantity: number,
  unitOfWeight: text,
  unitPrice: money,
  totalPrice: money,
  voided: flag,
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
  (value) =>
    value !== null && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))
      : (value ?? {}),
  z.object({
    finaltotal: money,
    subtotal: money,
    totaldiscounts: money,
    totalfees: money,
    totaltaxes: money,
  }),
);

export const order = z.object({
  id,
  locationId: text,
  customerId: text,
  customerType: text,
  createdAt: instant,
  createdOn: instant,
  completedOn: instant,
  orderStatus: text,
  voided: flag,
  originalSaleId: text,
  budtenderId: text,
  totals,
  itemsInCart: list(item),
  payments: list(z.object({ paymentType: text, debitProvider: text, amount: money })),
});
export type Order = z.output<typeof order>;
export type OrderItem = Order["itemsInCart"][number];
