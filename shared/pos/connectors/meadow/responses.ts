import * as z from "zod";
import {
  decimal,
  fields,
  flag,
  id,
  instant,
  list,
  longText,
  money,
  number,
  optional,
  statedList,
  statusDay,
  statusFlag,
  text,
  textIn,
} from "../../framework/wireFields.ts";

// The fields of Meadow's responses that the connector reads. Amounts are cents, except unit costs, which are dollars.

export const organization = z.object({ data: z.object({ id, name: text }) });

export const failure = z.object({ error: z.object({ code: text }) });

export const rows = z.object({ data: z.array(z.unknown()) });

export const room = z.object({ id, name: text, type: text });
export type Room = z.output<typeof room>;

export const paymentType = z.object({ id, method: text });

const named = textIn("name");

/** Null if the response does not state the stock. */
const rooms = statedList(z.object({ inventoryLocationId: text, amount: number }));
export type Rooms = z.output<typeof rooms>;

const option = z.object({
  id,
  ...fields(text, "name", "upc"),
  amount: number,
  ...fields(money, "price", "salesPrice", "movingAverageCostPerUnit"),
  locationInventory: rooms,
});
export type Option = z.output<typeof option>;

export const product = z.object({
  id,
  ...fields(text, "name", "strainName", "unit", "thcUnit", "upc", "inventoryType"),
  brand: named,
  primaryCategory: z.object({ name: text, cannabisType: text }).nullish(),
  subCategories: list(named),
  ...fields(number, "thcAmount", "thcAmountRangeLow", "thcAmountRangeHigh"),
  description: longText,
  photos: list(textIn("fullPath")),
  movingAverageCostPerUnit: money,
  locationInventory: rooms,
  options: z.array(option),
});
export type Product = z.output<typeof product>;

export const stockPackage = z.object({
  id,
  ...fields(text, "label", "status", "productOptionId", "updatedAt"),
  product: z.object({ name: text, upc: text }).nullish(),
  locationInventory: rooms,
});
export type StockPackage = z.output<typeof stockPackage>;

export const customer = z.object({
  id,
  ...fields(text, "firstName", "lastName", "email", "phone", "birthday", "sex", "zip", "licenseExpiry"),
  medicalExpiration: text,
  mostRecentAddress: optional(fields(text, "street1", "street2", "city", "state", "postalCode")),
  loyalty: z.object({ pointsAmount: decimal }).nullish(),
  updatedAt: instant,
});
export type Customer = z.output<typeof customer>;

const discount = z.object({ description: text, type: text, amount: number, amountUsed: money });
export type Discount = z.output<typeof discount>;

const tax = z.object({ description: text, rate: number, amount: money });
export type Tax = z.output<typeof tax>;

/** `{}` means no person. */
const person = textIn("id");

const line = z.object({
  ...fields(text, "optionId", "productName", "productUnit"),
  ...fields(number, "quantity", "optionAmount"),
  unitPrice: money,
  discounts: list(discount),
});
export type Line = z.output<typeof line>;

export const order = z.object({
  id,
  status: text,
  ...fields(instant, "fulfilledAt", "createdAt"),
  ...fields(money, "netPrice", "customerGrandTotal", "deliveryFee"),
  taxes: statedList(tax),
  discounts: list(discount),
  credits: statedList(z.object({ type: text, description: text, amountUsed: money })),
  payments: list(z.object({ name: text, paymentTypeId: text, amount: money, feeAmount: money, finalAmount: money })),
  lineItems: list(line),
  isMedical: flag,
  customer: optional(fields(text, "id", "birthday", "licenseExpiry", "medicalExpiration")),
  fulfilledBy: person,
  placedBy: person,
});
export type Order = z.output<typeof order>;

export const orderReturn = z.object({
  id,
  createdAt: instant,
  ...fields(text, "refundType", "paymentTypeName"),
  voidedAt: statusDay,
  refundTotal: money,
  taxes: statedList(tax.extend({ refunded: statusFlag })),
  lineItems: list(z.object({ quantity: number })),
});
export type OrderReturn = z.output<typeof orderReturn>;
