import {
  amountsOf,
  dollars,
  iso,
  rooms,
  type Shop,
  type ShopCustomer,
  type ShopPackage,
  type ShopProduct,
  type ShopSale,
  unitsIn,
} from "./shop.ts";

// The shop's records in Flowhub's form, with more fields than the connector reads.

export function flowhubCustomer(customer: ShopCustomer) {
  return {
    id: customer.uuid,
    createdAt: iso(customer.createdAt),
    updatedAt: iso(customer.changedAt),
    type: customer.medicalId ? "medCustomer" : "recCustomer",
    name: `${customer.firstName} ${customer.middleName} ${customer.lastName}`,
    birthDate: customer.dob,
    phone: customer.phone,
    email: customer.email,
    streetAddress1: customer.street,
    streetAddress2: null,
    city: "Boulder",
    state: "CO",
    zip: "80302",
    isLoyal: true,
    loyaltyPoints: customer.points,
    groups: [{ name: "Plantedgroup" }],
  };
}

const cannabinoids = {
  flower: [{ name: "thca", lowerRange: 18.2, upperRange: 21, unitOfMeasure: "%" }],
  edible: [{ name: "thc", lowerRange: 100, upperRange: 100, unitOfMeasure: "mg" }],
  vape: [{ name: "thc", lowerRange: 82, upperRange: 82, unitOfMeasure: "%" }],
} as const;

const kinds = {
  flower: { category: "PackedBud", productWeight: 3.5, productUnitOfMeasure: "grams" },
  edible: { category: "Edible", productWeight: 50, productUnitOfMeasure: "grams" },
  vape: { category: "Concentrate", productWeight: 1, productUnitOfMeasure: "grams" },
  accessory: { category: "Accessory", productWeight: 0, productUnitOfMeasure: "each" },
} as const;

function productFields({ uuid, number, name, kind, price, cost, changedAt }: ShopProduct) {
  return {
    variantId: uuid,
    parentProductId: `parent-${number}`,
    productName: name,
    customCategoryName: null,
    type: "",
    ...kinds[kind],
    productUnitOfMeasureToGramsMultiplier: kind === "accessory" ? null : 1,
    priceInMinorUnits: price,
    preTaxPriceInPennies: price,
    postTaxPriceInPennies: Math.round(price * 1.15),
    costInMinorUnits: cost,
    weightTierInformation: kind === "flower" ? [{ gramAmount: 3.5, pricePerUnitInMinorUnits: price }] : null,
    cannabinoidInformation: kind === "accessory" ? [] : cannabinoids[kind],
    brand: "Example Farms",
    strainName: kind === "flower" ? "Hybrid" : "",
    productDescription: "",
    productPictureURL: `https://images.example.com/${number}.png`,
    productUpdatedAt: iso(changedAt),
  };
}

/** The two ids of a store. */
export interface FlowhubStoreIds {
  locationId: string;
  importId: string;
}

/** The store of a row, by either id. Every third row of the requested store has none. */
function storeFieldsOf({ locationId, importId }: FlowhubStoreIds, number: number, isRequested: boolean) {
  if (isRequested && number % 3 === 2) return {};
  return { locationId: number % 3 === 0 ? importId : locationId };
}

type StoreWithShop = FlowhubStoreIds & { shop: Shop };

/** Stock of all stores of the client, whichever was requested. The first row is of the requested store. */
export function flowhubStock(
  stores: readonly StoreWithShop[],
  requested: StoreWithShop,
  withRooms: boolean,
  nonZero: boolean,
): object[] {
  const rowsOf = (store: StoreWithShop) =>
    stockRows(store.shop, withRooms, nonZero).map(({ number, ...row }) => ({
      ...row,
      ...storeFieldsOf(store, number, store === requested),
      // Rooms of two stores are never the same.
      ...(withRooms && store !== requested && { roomId: `${row.roomId} of ${store.locationId}` }),
    }));
  const own = rowsOf(requested);
  const foreign = stores.filter((store) => store !== requested).flatMap(rowsOf);
  return [...own.slice(0, 1), ...foreign, ...own.slice(1)];
}

/**
 * One row per package, or per room of a package. Lists that include sold-out products also have one row per product
 * without packages.
 */
function stockRows({ packages, products }: Shop, withRooms: boolean, nonZero: boolean) {
  const rows = packages.flatMap((stock) => packageRows(stock, withRooms));
  if (nonZero) return rows.filter(({ quantity }) => quantity > 0);
  if (withRooms) return rows;
  const stocked = new Set(packages.map(({ product }) => product));
  const soldOut = products.filter((product) => !stocked.has(product));
  return [
    ...rows,
    ...soldOut.map((product) => ({
      ...productFields(product),
      number: product.number,
      roomId: null,
      productId: product.uuid,
      sku: `SKU-${product.number}`,
      quantity: 0,
    })),
  ];
}

function packageRows(stock: ShopPackage, withRooms: boolean) {
  const { uuid, number, tag, product, quantities } = stock;
  const fields = {
    ...productFields(product),
    number,
    roomId: null as string | null,
    // The id changes from batch to batch.
    productId: uuid,
    sku: `SKU-${number}`,
    regulatoryId: tag,
  };
  if (!withRooms) return [{ ...fields, quantity: unitsIn(stock) }];
  return rooms.map((room, at) => ({
    ...fields,
    quantity: quantities.get(room.number) ?? 0,
    roomId: room.uuid,
    roomName: room.name,
    forSale: at === 0,
  }));
}

/** A voided order keeps the status `sold`. Every second open order has an undocumented status. */
function statusOf({ status, number }: ShopSale): string {
  if (status === "pending" && number % 2 === 1) return "in fulfillment";
  return { sold: "sold", voided: "sold", pending: "pending", canceled: "cancelled" }[status];
}

/** @param isRequested whether orders of this store were requested */
export function flowhubOrder(sale: ShopSale, store: FlowhubStoreIds, isRequested: boolean) {
  const { number, uuid, customer, status, original, at, payment, lines } = sale;
  const { gross, discount, tax, net, fee, total } = amountsOf(sale);
  const text = statusOf(sale);
  const isCompleted = status === "sold" || status === "voided";
  return {
    id: uuid,
    ...storeFieldsOf(store, number, isRequested),
    customerId: customer?.uuid ?? "",
    customerType: customer?.medicalId ? "medCustomer" : "recCustomer",
    name: "Plantedorder Plantedname",
    fullName: "Plantedorder Plantedname",
    // Client code reads `createdOn` if an order has no `completedOn`.
    ...(number % 5 === 0
      ? { createdOn: iso(at) }
      : { createdAt: iso(at), completedOn: isCompleted ? iso(at + 30_000) : null }),
    orderStatus: number % 2 === 0 ? text : text.toUpperCase(),
    voided: status === "voided",
    originalSaleId: original?.uuid ?? "",
    budtender: "Plantedstaff",
    ...(number % 3 !== 0 && { budtenderId: "emp-7" }),
    totals: {
      FinalTotal: dollars(total),
      SubTotal: dollars(number % 4 === 0 ? gross : net),
      TotalDiscounts: dollars(discount),
      TotalFees: dollars(fee),
      TotalTaxes: dollars(tax),
    },
    itemsInCart: lines.map(({ product, quantity, price, discount, tax }, at) => ({
      id: `${uuid}-${at}`,
      variantId: product.uuid,
      productId: product.uuid,
      productName: product.name,
      category: kinds[product.kind].category,
      type: "",
      quantity,
      unitOfWeight: "each",
      unitPrice: dollars(price),
      totalPrice: dollars(price * quantity),
      itemDiscounts: discount ? [{ name: "Happy hour", penniesOff: discount, percentOff: 10 }] : [],
      tax: [{ name: "Sales tax", percentage: 15, thisTaxInPennies: tax }],
    })),
    payments: [{ paymentType: payment, amount: dollars(total), cardId: "Plantedcard", debitProvider: null }],
  };
}
