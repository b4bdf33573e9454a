import * as z from "zod";
import {
  decimal,
  flag,
  id,
  imageUrl,
  instant,
  instantText,
  list,
  longText,
  money,
  number,
  statusFlag,
  text,
} from "../../framework/wireFields.ts";

// The fields of Dutchie's responses that the connector reads. It never reads notes, conditions and other names of a person,
// which must not be stored.

/** The response to `GET /whoami`. A known client received property names with capitals, so their letter case is ignored. */
export const identity = z.preprocess(
  (value) =>
    value !== null && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))
      : value,
  z.object({
    locationid: id,
    lspid: text,
    locationname: text,
    doingbusinessas: text,
    address: text,
    city: text,
    state: text,
    postalcode: text,
  }),
);
export type Identity = z.output<typeof identity>;

export const room = z.object({
  roomId: id,
  roomName: text,
  isSalesFloor: flag,
  isPOSRoom: flag,
  isVaultRoom: flag,
  isInventoryRoom: flag,
  isPreOrderRoom: flag,
  isEcommerceRoom: flag,
  isQuarantineRoom: flag,
  isWaitingRoom: flag,
});
export type Room = z.output<typeof room>;

export const customerType = z.object({ name: text, isMedical: flag, isRetail: flag });
export type CustomerTypes = readonly z.output<typeof customerType>[];

export const loyalty = z.object({ customerId: id, loyaltyBalance: decimal });

export const customer = z.object({
  customerId: id,
  firstName: text,
  lastName: text,
  middleName: text,
  dateOfBirth: text,
  address1: text,
  address2: text,
  city: text,
  state: text,
  postalCode: text,
  phone: text,
  cellPhone: text,
  emailAddress: text,
  gender: text,
  customerType: text,
  mmjidNumber: text,
  mmjidExpirationDate: text,
  driversLicenseHash: text,
  isLoyaltyMember: flag,
  isAnonymous: flag,
  mergedIntoCustomerId: text,
  lastModifiedDateUTC: instant,
});
export type Customer = z.output<typeof customer>;

export const product = z.object({
  productId: id,
  productName: text,
  internalName: text,
  sku: text,
  description: longText,
  masterCategory: text,
  category: text,
  regulatoryCategory: text,
  ecomSubcategory: text,
  strain: text,
  brandName: text,
  isCannabis: flag,
  netWeight: number,
  netWeightUnit: text,
  productGrams: number,
  thcContent: number,
  thcContentUnit: text,
  defaultUnit: text,
  unitType: text,
  price: money,
  medPrice: money,
  recPrice: money,
  unitCost: money,
  pricingTierName: text,
  pricingTierData: list(z.object({ startWeight: text, endWeight: text, price: money })),
  imageUrl,
  imageUrls: list(imageUrl),
  lastModifiedDateUTC: instant,
});
export type Product = z.output<typeof product>;

export const inventoryRow = z.object({
  inventoryId: id,
  productId: text,
  productName: text,
  sku: text,
  externalPackageId: text,
  packageId: text,
  quantityAvailable: number,
  lastModifiedDateUtc: instant,
  roomQuantities: z.array(z.object({ roomId: text, room: text, quantityAvailable: number })).nullish(),
});
export type InventoryRow = z.output<typeof inventoryRow>;

const discount = z.object({ discountName: text, amount: money, transactionItemId: text });

const item = z.object({
  transactionItemId: text,
  productId: text,
  quantity: number,
  unitPrice: money,
  totalPrice: money,
  unitWeight: number,
  unitWeightUnit: text,
  isCoupon: flag,
  discounts: list(discount),
  taxes: list(z.object({ rateName: text, rate: number, amount: money })),
});

export const transaction = z.object({
  transactionId: id,
  transactionType: text,
  transactionDate: instantText,
  transactionDateLocalTime: text,
  customerId: text,
  employeeId: text,
  responsibleForSaleUserId: text,
  isVoid: statusFlag,
  isReturn: statusFlag,
  returnOnTransactionId: text,
  adjustmentForTransactionId: text,
  isMedical: flag,
  isTaxInclusive: flag,
  totalBeforeTax: money,
  totalDiscount: money,
  tax: money,
  total: money,
  tipAmount: money,
  paid: money,
  changeDue: money,
  cashPaid: money,
  debitPaid: money,
  creditPaid: money,
  checkPaid: money,
  giftPaid: money,
  mmapPaid: money,
  prePaymentAmount: money,
  electronicPaid: money,
  electronicPaymentMethod: text,
  integratedPayments: list(z.object({ integrationType: text, integratedPaid: money })),
  manualPayments: list(z.object({ manualPaymentProcessorName: text, manualPaid: money })),
  invoiceNumber: text,
  invoiceName: text,
  discounts: list(discount),
  taxSummary: list(z.object({ rateName: text, amount: money })),
  feesAndDonations: list(z.object({ description: text, amount: money })),
  items: list(item),
});
export type Transaction = z.output<typeof transaction>;
export type Item = z.output<typeof item>;
