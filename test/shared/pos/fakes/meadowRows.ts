import {
  amountsOf,
  iso,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
  unitsAt,
} from "./shop.ts";

// The shop's records in Meadow's form, with more fields than the connector reads. Amounts are cents.

/** `2023-05-05 10:17:56.561-07`. */
function packageTime(instant: number): string {
  return `${iso(instant - 7 * 60 * 60_000)
    .slice(0, -1)
    .replace("T", " ")}-07`;
}

/** The organization in orders and products. */
export const meadowOrganizationId = 31;

/** Differs from the id of the product's only option, with which it is sold. */
const productId = ({ number }: ShopProduct) => number + 500_000;

export const meadowPaymentTypes = [
  { id: 1, name: "Cash", method: "cash" },
  { id: 2, name: "House terminal", method: "debit" },
];

export function meadowCustomer(customer: ShopCustomer) {
  const { number, medicalId, changedAt } = customer;
  return {
    id: number,
    firstName: customer.firstName,
    lastName: customer.lastName,
    email: customer.email,
    phone: `+1${customer.phone.replace(/\D/g, "")}`,
    birthday: customer.dob,
    sex: number % 2 === 0 ? "female" : "tertiary",
    zip: "80302",
    mostRecentAddress: { street1: customer.street, street2: null, city: "Boulder", state: "CO", postalCode: "80302" },
    licenseExpiry: "2028-05-31",
    medicalExpiration: medicalId && "2027-03-31",
    loyalty: { pointsAmount: String(customer.points / 4) },
    notes: `Plantednote${number}`,
    createdAt: iso(customer.createdAt),
    updatedAt: iso(changedAt),
  };
}

const categories = {
  flower: { name: "Flower", cannabisType: "non-concentrated" },
  edible: { name: "Edibles", cannabisType: "edible" },
  vape: { name: "Cartridges", cannabisType: "concentrated" },
  accessory: { name: "Accessories", cannabisType: "none" },
} as const;

/** @param packages the packages of the product */
export function meadowProduct(
  product: ShopProduct,
  packages: readonly ShopPackage[],
  stock: "package" | "option" | "product" | "none",
) {
  const { number, name, kind, price, cost } = product;
  const locationInventory = rooms.map((room) => ({
    inventoryLocationId: room.number,
    amount: String(unitsAt(room, packages)),
  }));
  return {
    id: productId(product),
    organizationId: meadowOrganizationId,
    name,
    brand: { id: 4, name: "Example Farms" },
    primaryCategory: { id: 3, ...categories[kind] },
    subCategories: kind === "vape" ? [{ id: 8, name: "510" }] : [],
    strainName: kind === "flower" ? "Blue Dream" : null,
    unit: kind === "flower" ? "gram" : "item",
    thcAmount: kind === "edible" ? "100" : null,
    thcAmountEach: kind === "edible" ? "10" : null,
    thcUnit: kind === "edible" ? "mg" : null,
    description: null,
    photos: [{ fullPath: `https://images.example.com/${number}.png` }],
    inventoryType: stock === "package" ? "none" : stock,
    movingAverageCostPerUnit: `${(cost / 100).toFixed(2)}0000`,
    locationInventory: stock === "product" ? locationInventory : [],
    options: [
      {
        id: number,
        name: kind === "flower" ? "Eighth" : "",
        amount: kind === "flower" ? "3.5" : "1",
        price,
        salesPrice: null,
        upc: `SKU-${number}`,
        locationInventory: stock === "option" ? locationInventory : [],
      },
    ],
    createdAt: iso(product.createdAt),
  };
}

export function meadowPackage({ number, tag, product, quantities, changedAt }: ShopPackage, status: string) {
  return {
    id: number,
    label: status === "finished" ? `void-${tag}-x7` : tag,
    status,
    productOptionId: product.number,
    product: { id: productId(product), name: product.name, upc: `SKU-${product.number}` },
    locationInventory: [...quantities].map(([room, amount]) => ({ inventoryLocationId: room, amount: String(amount) })),
    updatedAt: packageTime(changedAt),
  };
}

const statuses = { sold: "fulfilled", voided: "Fulfilled", pending: "packed", canceled: "canceled" } as const;

/**
 * Meadow has no voids: a sale that the shop voids is fulfilled here. The fee of a payment includes the delivery fee. An
 * order that is no retail sale has an unknown status.
 */
export function meadowOrder(sale: ShopSale) {
  const { number, customer, status, at, payment, lines } = sale;
  const { tax, net, fee, total } = amountsOf(sale);
  return {
    id: `order-${number}`,
    organizationId: meadowOrganizationId,
    status: sale.kind === "retail" ? statuses[status] : "delivered",
    createdAt: iso(at),
    fulfilledAt: status === "pending" ? null : iso(at),
    totalPrice: net + tax,
    netPrice: net + tax,
    customerGrandTotal: total,
    deliveryFee: fee || null,
    taxes: [{ description: "Sales tax", rate: "15", amount: tax, included: false }],
    discounts: [],
    credits: [],
    payments: [
      {
        paymentTypeId: payment === "cash" ? 1 : 2,
        name: payment === "cash" ? "Cash" : "House terminal",
        amount: total - fee,
        feeAmount: fee,
        finalAmount: total,
      },
    ],
    lineItems: lines.map(line),
    isMedical: customer ? customer.medicalId !== null : null,
    customer: customer
      ? {
          id: customer.number,
          name: `${customer.firstName} ${customer.lastName} Plantedcustomer`,
          birthday: customer.dob,
          licenseExpiry: "2028-05-31",
          medicalExpiration: customer.medicalId && "2027-03-31",
        }
      : {},
    fulfilledBy: number % 3 === 0 ? {} : { id: 18, firstName: "Plantedstaff" },
    placedBy: { id: 17, firstName: "Plantedstaff" },
    notes: `Plantednote${number}`,
    returns: [],
  };
}

function line({ product, quantity, price, discount }: ShopLine) {
  return {
    id: 1,
    productId: productId(product),
    optionId: product.number,
    productName: product.name,
    productUnit: product.kind === "flower" ? "gram" : "item",
    optionAmount: product.kind === "flower" ? "3.5" : "1",
    quantity,
    unitPrice: price,
    subtotalPrice: price * quantity,
    finalPrice: price * quantity - discount,
    discounts: discount ? [{ description: "Happy hour", type: "percent", amount: 10, amountUsed: discount }] : [],
  };
}

export function meadowReturn(sale: ShopSale, isVoided: boolean) {
  const { number, original, at, payment, lines } = sale;
  const { tax, net, total } = amountsOf(sale);
  return {
    id: number,
    orderId: `order-${original?.number}`,
    createdAt: iso(at),
    voidedAt: isVoided ? iso(at + 1) : null,
    refundInitial: -net,
    refundTotal: -total,
    refundType: "payment-method",
    paymentTypeName: payment,
    taxes: [
      { description: "Sales tax", rate: "15", amount: -tax, refunded: true },
      { description: "Excise tax", rate: "15", amount: -tax, refunded: false },
    ],
    lineItems: lines.map(({ quantity }) => ({ orderLineItemId: 1, quantity, type: "return" })),
    notes: "Plantednote",
  };
}
