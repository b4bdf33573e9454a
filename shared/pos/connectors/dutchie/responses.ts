import * as z from "zod";
import {
  anyCase,
  decimal,
  fields,
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
export const identity = anyCase({
  locationid: id,
  ...fields(text, "lspid", "locationname", "doingbusinessas", "address", "city", "state", "postalcode"),
});
export type Identity = z.output<typeof identity>;

/** The id of another record. Dutchie writes 0 or a negative number for a missing id. */
const optionalId = text.transform((value) => (/^-?0*$|^-/.test(value ?? "") ? null : value));

export const room = z.object({
  roomId: id,
  roomName: text,
  ...fields(flag, "isSalesFloor", "isPOSRoom", "isVaultRoom", "isInventoryRoom", "isPreOrderRoom", "isEcommerceRoom"),
  ...fields(flag, "isQuarantineRoom", "isWaitingRoom"),
});
export type Room = z.output<typeof room>;

export const customerType = z.object({ name: text, isMedical: flag, isRetail: flag });
export type CustomerTypes = readonly z.output<typeof customerType>[];

export const loyalty = z.object({ customerId: id, loyaltyBalance: decimal });

export const customer = z.object({
  customerId: id,
  ...fields(text, "firstName", "lastName", "middleName", "dateOfBirth", "address1", "address2", "city", "state"),
  ...fields(text, "postalCode", "phone", "cellPhone", "emailAddress", "gender", "customerType", "mmjidNumber"),
  ...fields(text, "mmjidExpirationDate", "driversLicenseHash"),
  mergedIntoCustomerId: optionalId,
  ...fields(flag, "isLoyaltyMember", "isAnonymous"),
  lastModifiedDateUTC: instant,
});
export type Customer = z.output<typeof customer>;

export const product = z.object({
  productId: id,
  ...fields(text, "productName", "internalName", "sku", "masterCategory", "category", "regulatoryCategory"),
  ...fields(text, "ecomSubcategory", "strain", "brandName", "netWeightUnit", "thcContentUnit", "defaultUnit"),
  ...fields(text, "unitType", "pricingTierName"),
  description: longText,
  isCannabis: flag,
  ...fields(number, "netWeight", "productGrams", "thcContent"),
  ...fields(money, "price", "medPrice", "recPrice", "unitCost"),
  pricingTierData: list(z.object({ startWeight: text, endWeight: text, price: money })),
  imageUrl,
  imageUrls: list(imageUrl),
  lastModifiedDateUTC: instant,
});
export type Product = z.output<typeof product>;

export const inventoryRow = z.object({
  inventoryId: id,
  ...fields(text, "productId", "productName", "sku", "externalPackageId", "packageId"),
  quantityAvailable: number,
  lastModifiedDateUtc: instant,
  roomQuantities: z.array(z.object({ roomId: text, room: text, quantityAvailable: number })).nullish(),
});
export type InventoryRow = z.output<typeof inventoryRow>;

const discount = z.object({ discountName: text, amount: money, transactionItemId: text });

const item = z.object({
  ...fields(text, "transactionItemId", "productId", "unitWeightUnit"),
  ...fields(number, "quantity", "unitWeight"),
  ...fields(money, "unitPrice", "totalPrice"),
  isCoupon: statusFlag,
  discounts: list(discount),
  taxes: list(z.object({ rateName: text, rate: number, amount: money })),
});

export const transaction = z.object({
  transactionId: id,
  ...fields(text, "transactionType", "transactionDateLocalTime", "electronicPaymentMethod"),
  ...fields(text, "invoiceNumber", "invoiceName"),
  ...fields(optionalId, "customerId", "employeeId", "responsibleForSaleUserId"),
  ...fields(optionalId, "returnOnTransactionId", "adjustmentForTransactionId"),
  transactionDate: instantText,
  ...fields(statusFlag, "isVoid", "isReturn"),
  isMedical: flag,
  isTaxInclusive: statusFlag,
  ...fields(money, "totalBeforeTax", "totalDiscount", "tax", "total", "tipAmount", "paid", "changeDue", "cashPaid"),
  ...fields(money, "debitPaid", "creditPaid", "checkPaid", "giftPaid", "mmapPaid", "prePaymentAmount"),
  electronicPaid: money,
  integratedPayments: list(z.object({ integrationType: text, integratedPaid: money })),
  manualPayments: list(z.object({ manualPaymentProcessorName: text, manualPaid: money })),
  discounts: list(discount),
  taxSummary: list(z.object({ rateName: text, amount: money })),
  feesAndDonations: list(z.object({ description: text, amount: money })),
  items: list(item),
});
export type Transaction = z.output<typeof transaction>;
export type Item = z.output<typeof item>;
