import {
  amountsOf,
  dollars,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
  unitsAt,
} from "./shop.ts";

// The shop's records in Blaze's form, with more fields than the connector reads. The fields follow public client code (C in
// docs/pos/blaze.md). Which parts the total of a cart contains is an assumption (A).

export const shopId = "5ab000000000000000000001";

export function blazeMember(customer: ShopCustomer) {
  const { number, uuid, medicalId, createdAt, changedAt } = customer;
  return {
    id: uuid,
    shopId: number % 3 === 0 ? "5ab000000000000000000002" : shopId,
    created: createdAt,
    modified: changedAt,
    deleted: false,
    firstName: customer.firstName,
    middleName: customer.middleName,
    lastName: customer.lastName,
    email: customer.email,
    primaryPhone: customer.phone,
    password: "Plantedpassword",
    dob: Date.parse(`${customer.dob}T00:00:00Z`),
    sex: number % 2 === 0 ? "FEMALE" : "OTHER",
    address: { address: customer.street, addressLine2: null, city: "Boulder", state: "CO", zipCode: "80302" },
    consumerType: medicalId ? "MedicinalState" : "AdultUse",
    medical: medicalId !== null,
    identifications: [
      {
        type: "Drivers",
        licenseNumber: customer.license,
        expirationDate: Date.parse("2028-05-31T00:00:00Z"),
        state: "CO",
      },
    ],
    recommendations: medicalId
      ? [{ recommendationNumber: medicalId, expirationDate: Date.parse("2027-03-31T00:00:00Z") }]
      : [],
    enableLoyalty: true,
    loyaltyPoints: customer.points / 4,
    notes: [{ message: `Plantednote${number}` }],
  };
}

const kinds = {
  flower: { category: { name: "Flower", cannabis: true }, cannabisType: "DEFAULT", weightPerUnit: "EIGHTH" },
  edible: { category: { name: "Edibles", cannabis: true }, cannabisType: "DEFAULT", weightPerUnit: "EACH" },
  vape: { category: "Vape", cannabisType: "CANNABIS", weightPerUnit: "FULL_GRAM" },
  accessory: {
    category: { name: "Accessories", cannabis: false },
    cannabisType: "NON_CANNABIS",
    weightPerUnit: "EACH",
  },
} as const;

/** @param stock the product's packages */
export function blazeProduct(product: ShopProduct, stock: readonly ShopPackage[]) {
  const { uuid, number, name, kind, price, changedAt } = product;
  return {
    id: uuid,
    shopId,
    name,
    sku: `SKU-${number}`,
    description: null,
    ...kinds[kind],
    brand: { name: "Example Farms" },
    flowerType: "Hybrid",
    unitPrice: dollars(price),
    salesPrice: 0,
    priceRanges: [],
    priceBreaks: [{ price: dollars(price), quantity: 1, displayName: "Single" }],
    assets: [{ publicURL: `https://images.example.com/${number}.png` }],
    quantities: rooms.map((room) => ({ inventoryId: room.uuid, quantity: unitsAt(room, stock) })),
    modified: changedAt,
  };
}

export function blazeBatch({ uuid, product, tag, changedAt }: ShopPackage) {
  return {
    id: uuid,
    shopId,
    productId: product.uuid,
    costPerUnit: dollars(product.cost),
    trackPackageLabel: tag,
    created: product.createdAt,
    modified: changedAt,
  };
}

const statuses = { sold: "Completed", voided: "Completed", canceled: "Canceled" } as const;
const types = { retail: "Sale", wholesale: "Adjustment", transfer: "Transfer" } as const;

/** A pending sale may have an unknown status or type. */
function statusAndTypeOf({ number, status, kind, original }: ShopSale) {
  const transType = original ? "Refund" : types[kind];
  if (status !== "pending") return { status: statuses[status], transType };
  if (number % 2 !== 0) return { status: "Completed", transType: "Layaway" };
  return { status: number % 4 === 0 ? "Queued" : "Parked", transType };
}

export function blazeTransaction(sale: ShopSale) {
  const { number, uuid, customer, status, original, at, payment, lines } = sale;
  const words = statusAndTypeOf(sale);
  const { gross, discount, tax, fee, total: due } = amountsOf(sale);
  // Some carts have a fee that is switched off, a discounted delivery, or a discount after tax.
  const afterTaxDiscount = number % 7 === 0 ? Math.min(100, due) : 0;
  const deliveryDiscount = fee > 0 && number % 2 === 0 ? 200 : 0;
  const total = due - afterTaxDiscount;
  return {
    id: uuid,
    shopId,
    status: number % 2 === 0 ? words.status : words.status.toUpperCase(),
    deleted: status === "voided",
    transType: number % 3 === 0 ? words.transType : words.transType.toLowerCase(),
    parentTransactionId: original?.uuid,
    created: at - 60_000,
    modified: sale.changedAt,
    processedTime: at,
    completedTime: at,
    endTime: 0,
    timeZone: "America/Denver",
    sellerId: number % 3 === 0 ? "" : "emp-9",
    seller: { firstName: "Plantedstaff", password: "Plantedpassword", pin: "Plantedpin" },
    memberId: customer?.uuid ?? null,
    member: customer && { firstName: customer.firstName, password: "Plantedpassword" },
    note: { message: `Plantednote${number}` },
    cart: {
      subTotal: dollars(gross),
      totalDiscount: dollars(discount),
      totalCalcTax: dollars(tax),
      totalPreCalcTax: 0,
      subTotalDiscount: dollars(gross - discount),
      enableDeliveryFee: fee > 0,
      deliveryFee: dollars(fee > 0 ? fee + deliveryDiscount : 500),
      deliveryDiscount: dollars(deliveryDiscount),
      deliveryDiscountType: "Cash",
      enableCreditCardFee: false,
      creditCardFee: number % 3 === 0 ? 3 : 0,
      appliedAfterTaxDiscount: dollars(afterTaxDiscount),
      totalFees: dollars(fee),
      tipAmount: 0,
      roundAmt: 0,
      total: dollars(total),
      refundAmount: original ? dollars(total) : 0,
      refundOption: null,
      taxResult: { totalCityTax: 0, totalStateTax: dollars(tax) },
      paymentOption: payment === "cash" ? "Cash" : "CashlessATM",
      consumerType: customer?.medicalId ? "MedicinalState" : "AdultUse",
      items: lines.map(item),
    },
  };
}

function item({ product, quantity, price, discount }: ShopLine) {
  return {
    productId: product.uuid,
    productName: product.name,
    quantity,
    unitPrice: dollars(price),
    overridePrice: 0,
    discount: discount ? 10 : 0,
    discountType: "Percentage",
    promotionReqs: discount ? [{ promotionId: "pr-1", name: "Happy hour" }] : [],
    calcDiscount: dollars(discount),
    finalPrice: dollars(price * quantity - discount),
    status: "Active",
    product: null,
  };
}
