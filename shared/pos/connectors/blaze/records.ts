import { sum } from "../../../money/sums.ts";
import { dollarsToCents, dollarsToFineCents, fine, nullIfNegative } from "../../framework/conversions/cents.ts";
import { chooseDocument } from "../../framework/conversions/chooseDocument.ts";
import { customerTypeOf } from "../../framework/conversions/customerType.ts";
import { genderOf } from "../../framework/conversions/gender.ts";
import { netWeight } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { prices, priceTier } from "../../framework/conversions/prices.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptyCustomer,
  emptyProduct,
  type PosCustomer,
  type PosInventory,
  type PosLocation,
  type PosPriceTier,
  type PosProduct,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import type { Member, Product, Room } from "./responses.ts";

export function customerRecord(row: Member): PosCustomer {
  const { address = null, addressLine2 = null, city = null, state = null, zipCode = null } = row.address;
  const license = chooseDocument(
    row.identifications
      .filter(({ type }) => type?.startsWith("Drivers"))
      .map(({ licenseNumber, expirationDate }) => ({ number: licenseNumber, expires: plainDay(expirationDate) })),
  );
  const recommendation = chooseDocument(
    row.recommendations.map(({ recommendationNumber, expirationDate }) => ({
      number: recommendationNumber,
      expires: plainDay(expirationDate),
    })),
  );
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    middle_name: row.middleName,
    dob: plainDay(row.dob),
    address_1: address,
    address_2: addressLine2,
    city,
    state,
    zip_code: zipCode,
    phone: row.primaryPhone,
    email_address: row.email,
    gender: genderOf(row.sex),
    pos_identification_type: recommendation.number ? "medical" : license.number ? "drivers" : null,
    pos_customer_type: row.consumerType,
    svc_customer_type: typeOf(row),
    medical_id: recommendation.number,
    medical_id_expiration_date: recommendation.expires,
    drivers_license_id: license.number,
    drivers_license_expiration_date: license.expires,
    loyalty_member: row.enableLoyalty,
    loyalty_points: row.loyaltyPoints,
    pos_updated_date: row.modified,
  };
}

/** The customer's type. Without one, `medical` decides. With an unknown one, it decides only if true: `Other` is no adult use. */
function typeOf({ consumerType, medical }: Member): PosCustomer["svc_customer_type"] {
  if (consumerType === null && medical !== null) return medical ? "medical" : "rec";
  return customerTypeOf(consumerType) ?? (medical ? "medical" : null);
}

/** @param cost unit costs in dollars, by product id */
export function productRecord(row: Product, cost: ReadonlyMap<string, string>): PosProduct {
  const category = row.category?.name ?? null;
  const amount = Number(row.salesPrice) > 0 ? row.salesPrice : row.unitPrice;
  return {
    ...emptyProduct,
    pos_product_id: row.id,
    name: productName(row),
    svc_product_category_name: productCategory(category),
    pos_product_category_name: category,
    pos_brand_name: row.brand?.name ?? row.brandName,
    medicated: isMedicated(row),
    sku: row.sku,
    description: row.description,
    svc_net_weight_grams: weightOf(row),
    pos_unit_of_measure: row.weightPerUnit,
    ...prices(dollarsToCents(amount), priceTiers(row)),
    unit_cost: nullIfNegative(dollarsToFineCents(cost.get(row.id) ?? null)),
    pos_updated_date: row.modified,
    images: images(row.assets),
  };
}

/** Whether a product contains cannabis: by its own type, or by its category if the type is `DEFAULT` or missing. */
function isMedicated({ cannabisType, category }: Product): boolean | null {
  const isOfCategory = (cannabisType ?? "DEFAULT").toUpperCase() === "DEFAULT";
  return isOfCategory ? (category?.cannabis ?? null) : cannabisOf([cannabisType]);
}

const productName = ({ id, name }: Product) => name ?? `Product ${id}`;

const weights: Readonly<Record<string, number>> = { FULL_GRAM: 1, HALF_GRAM: 0.5, EIGHTH: 3.5 };

function weightOf({ weightPerUnit, customWeight, customGramType, category }: Product): number | null {
  if (weightPerUnit === "CUSTOM_GRAMS") {
    return netWeight(customWeight, customGramType, productCategory(category?.name ?? null));
  }
  return weightPerUnit !== null && Object.hasOwn(weights, weightPerUnit) ? (weights[weightPerUnit] ?? null) : null;
}

const priceTiers = ({ priceRanges, priceBreaks }: Product): PosPriceTier[] => [
  ...priceRanges.flatMap(({ price, weightTolerance: at }) =>
    priceTier(dollarsToCents(price), "weight", at?.unitValue ?? null, at?.name ?? null),
  ),
  ...priceBreaks.flatMap(({ price, quantity, displayName }) =>
    priceTier(dollarsToCents(price), "quantity", quantity, displayName),
  ),
];

export const roomRecord = ({ id, name, modified }: Room) => posLocation(id, name ?? `Inventory ${id}`, modified);

/**
 * The stock of a product in each room; Blaze calls a room an inventory. The record has no date of change: the product's
 * date does not change with its stock. Rejects a product with a missing quantity, because a missing quantity does not mean
 * 0.
 */
export function inventoryRecords(
  row: Product,
  rooms: ReadonlyMap<string, PosLocation>,
): RecordsOrRejection<PosInventory> {
  const known = (row.quantities ?? []).flatMap(({ inventoryId, quantity }) =>
    quantity === null ? [] : [{ inventoryId, quantity }],
  );
  if (known.length !== row.quantities?.length) return { field: "quantities", reason: "no_quantity" };
  const record = {
    pos_inventory_id: row.id,
    pos_product_id: row.id,
    name: productName(row),
    sku: row.sku,
    barcode: null,
    total_quantity: fine(sum(known.map(({ quantity }) => quantity))),
    pos_updated_date: null,
    location_data: known.flatMap(({ inventoryId, quantity }) =>
      quantityAt(inventoryId, rooms.get(inventoryId ?? "") ?? {}, quantity),
    ),
  };
  return [record];
}
