import {
  amountsOf,
  dollars,
  iso,
  rooms,
  type ShopCustomer,
  type ShopLine,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
  unitsIn,
} from "./shop.ts";

// The shop's records in Dutchie's form, with more fields than the connector reads. Their names are those of Dutchie's OpenAPI
// document (D). Customers' dates and empty values are as clients saw them (C). Assumptions (A): `Consignment`; that the total
// does not contain the tip; which payments repeat others.

const offset = -7 * 60 * 60_000;

/** UTC, sometimes without the `Z`. */
function utcText(instant: number): string {
  return instant % 2 === 0 ? iso(instant) : iso(instant).slice(0, -1);
}

/** `09/12/2023 14:05:06`, UTC: the format of customers' dates. */
function americanText(instant: number): string {
  const [year, month, day] = iso(instant).slice(0, 10).split("-");
  return `${month}/${day}/${year} ${iso(instant).slice(11, 19)}`;
}

export function dutchieRoom({ number, name }: (typeof rooms)[number]) {
  return {
    roomId: number,
    roomName: name,
    isQuarantineRoom: false,
    isVaultRoom: number === rooms[1].number,
    isSalesFloor: number === rooms[0].number,
    isPOSRoom: number === rooms[0].number,
  };
}

export function dutchieCustomer(customer: ShopCustomer) {
  const { number, medicalId, license, dob, street, createdAt, changedAt } = customer;
  return {
    customerId: number,
    uniqueId: `Plantedunique${number}`,
    name: `${customer.firstName} ${customer.lastName}`,
    firstName: customer.firstName,
    middleName: customer.middleName,
    lastName: customer.lastName,
    address1: street,
    address2: "",
    city: "Boulder",
    state: "CO",
    postalCode: "80302",
    phone: customer.phone,
    cellPhone: "N/A",
    emailAddress: customer.email,
    mmjidNumber: medicalId,
    mmjidExpirationDate: medicalId ? "2027-03-31T00:00:00" : "1900-01-01T00:00:00",
    lastModifiedDateUTC: americanText(changedAt),
    creationDate: iso(createdAt),
    customerType: medicalId ? "Medical Patient" : "Adult Use",
    gender: number % 2 === 0 ? "F" : "not specified",
    driversLicenseHash: Buffer.from(license).toString("hex").toUpperCase(),
    dateOfBirth: `${dob}T00:00:00`,
    isAnonymous: false,
    isLoyaltyMember: true,
    mergedIntoCustomerId: customer.mergedInto?.number ?? (number % 2 === 0 ? 0 : null),
    notes: `Plantednote${number}`,
    primaryQualifyingCondition: `Plantedcondition${number}`,
  };
}

const categories = {
  flower: {
    masterCategory: "Flower",
    category: "Pre-Rolls",
    netWeight: 3.5,
    netWeightUnit: "g",
    thcContent: 22.5,
    thcContentUnit: "%",
  },
  edible: {
    masterCategory: "Edibles",
    category: "Gummies",
    netWeight: 50,
    netWeightUnit: "g",
    thcContent: 100,
    thcContentUnit: "mg",
  },
  vape: {
    masterCategory: "Vape",
    category: "Cartridges",
    netWeight: 1,
    netWeightUnit: "g",
    thcContent: 820,
    thcContentUnit: "mg/g",
  },
  accessory: { masterCategory: "Accessories", category: "Batteries", netWeight: null, netWeightUnit: null },
} as const;

export function dutchieProduct({ number, name, kind, price, cost, changedAt }: ShopProduct) {
  const hasTiers = kind === "flower" && number % 5 === 0;
  return {
    productId: number,
    sku: `SKU-${number}`,
    productName: name,
    description: null,
    ...categories[kind],
    strain: kind === "flower" ? "Hybrid" : null,
    brandName: "Example Farms",
    isCannabis: kind !== "accessory",
    price: hasTiers ? 0 : dollars(price),
    recPrice: hasTiers ? null : dollars(price),
    medPrice: hasTiers ? null : dollars(price - 100),
    unitCost: dollars(cost),
    pricingTierName: hasTiers ? "House tier" : null,
    pricingTierData: hasTiers
      ? [
          { startWeight: 1, endWeight: 3.5, price: dollars(price), medicalPrice: 0 },
          { startWeight: 3.5, endWeight: null, price: dollars(price - 200), medicalPrice: 0 },
        ]
      : null,
    defaultUnit: "Each",
    imageUrl: `https://images.example.com/${number}.png`,
    imageUrls: [],
    lastModifiedDateUTC: utcText(changedAt),
  };
}

export function dutchiePackage(stock: ShopPackage, withRooms: boolean) {
  const { number, product, tag, quantities, changedAt } = stock;
  return {
    inventoryId: number,
    productId: product.number,
    sku: `SKU-${product.number}`,
    productName: product.name,
    quantityAvailable: unitsIn(stock),
    packageId: `P-${number}`,
    externalPackageId: tag,
    lastModifiedDateUtc: utcText(changedAt),
    ...(withRooms && {
      roomQuantities: rooms.map((room) => ({
        roomId: room.number,
        room: room.name,
        quantityAvailable: quantities.get(room.number) ?? 0,
      })),
    }),
  };
}

const types = { retail: "Retail", wholesale: "WholesaleOrder", transfer: "Transfer" } as const;

/** A pending sale has an unknown type here. */
function typeOf({ number, kind, status }: ShopSale): string {
  const type = status === "pending" ? "Consignment" : types[kind];
  return number % 2 === 0 ? type : type.toUpperCase();
}

export function dutchieTransaction(sale: ShopSale, withDetail: boolean) {
  const { number, customer, status, kind, original, at, changedAt, payment } = sale;
  const { gross, discount, tax, net, fee, total } = amountsOf(sale);
  const sign = original ? -1 : 1;
  const money = (cents: number) => dollars(cents * sign);
  // A card is charged whole dollars too, as by a cashless ATM, and the change is handed back in cash.
  const tip = payment === "debit" && number % 4 === 0 ? 500 : 0;
  const handed = Math.ceil((total + tip) / 100) * 100;
  return {
    transactionId: number,
    transactionType: typeOf(sale),
    transactionDate: utcText(at),
    transactionDateLocalTime: iso(at + offset).slice(0, -1),
    lastModifiedDateUTC: utcText(changedAt),
    customerId: customer?.number ?? 0,
    employeeId: 17,
    responsibleForSaleUserId: number % 3 === 0 ? 0 : 18,
    completedByUser: "Planteduser Plantedstaff",
    isVoid: status === "voided",
    isReturn: original !== null,
    returnOnTransactionId: original?.number ?? null,
    adjustmentForTransactionId: null,
    isMedical: customer?.medicalId != null,
    isTaxInclusive: false,
    subtotal: money(gross),
    totalDiscount: money(discount),
    totalBeforeTax: money(net),
    tax: money(tax),
    total: money(total),
    paid: money(handed),
    tipAmount: tip ? money(tip) : null,
    changeDue: dollars(handed - total - tip),
    cashPaid: payment === "cash" ? money(handed) : 0,
    debitPaid: payment === "debit" ? money(handed) : 0,
    electronicPaid: 0,
    integratedPayments: payment === "debit" ? [{ integrationType: "CanPay", integratedPaid: money(handed) }] : [],
    manualPayments: [],
    invoiceNumber: kind === "wholesale" ? `INV-${number}` : null,
    invoiceName: kind === "wholesale" ? "Net 30" : null,
    discounts: [],
    taxSummary: [{ rateName: "Sales tax", amount: money(tax) }],
    feesAndDonations: fee ? [{ feeDonationId: 1, description: "Delivery", amount: money(fee), isRevenue: true }] : [],
    items: withDetail ? sale.lines.map((line, at) => item(line, at + 1, sign)) : [],
    authCode: "Plantedauth",
  };
}

function item({ product, quantity, price, discount, tax }: ShopLine, id: number, sign: 1 | -1) {
  const money = (cents: number) => dollars(cents * sign);
  return {
    transactionItemId: id,
    productId: product.number,
    inventoryId: 1,
    quantity: quantity * sign,
    unitPrice: dollars(price),
    totalPrice: money(price * quantity - discount + tax),
    totalDiscount: money(discount),
    unitWeight: product.kind === "flower" ? 3.5 : null,
    unitWeightUnit: "g",
    discounts: discount
      ? [{ discountId: 1, discountName: "Happy hour", amount: money(discount), transactionItemId: id }]
      : [],
    taxes: [{ rateName: "Sales tax", rate: 0.15, amount: money(tax), transactionItemId: id }],
    isCoupon: false,
  };
}
