import { sum } from "../../../money/sums.ts";
import type { Rejection } from "../../connector.ts";
import { fine, nullIfNegative, price, wholeCents } from "../../framework/conversions/cents.ts";
import { genderOf } from "../../framework/conversions/gender.ts";
import { netWeight } from "../../framework/conversions/grams.ts";
import { images } from "../../framework/conversions/images.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptyCustomer,
  emptyProduct,
  type PosCustomer,
  type PosInventory,
  type PosLocation,
  type PosLocationQuantity,
  type PosProduct,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import type { Customer, Lot } from "./responses.ts";

export function customerRecord(row: Customer): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    dob: plainDay(row.birthday),
    address_1: row.address,
    city: row.city,
    state: row.state,
    zip_code: row.zipcode,
    phone: row.telephone,
    email_address: row.email,
    gender: genderOf(row.gender),
    pos_identification_type: row.drivers_license ? "drivers" : null,
    drivers_license_id: row.drivers_license,
    loyalty_member: row.loyalty_member ?? row.loyalty,
    pos_updated_date: row.updated_at,
  };
}

/** Whether a lot describes its product better: an active lot before an inactive one, else the later lot. */
export function isNewer(one: Lot, other: Lot): boolean {
  const isActive = (lot: Lot) => lot.active !== false;
  if (isActive(one) !== isActive(other)) return isActive(one);
  return one.id.localeCompare(other.id, "en", { numeric: true }) > 0;
}

/** The facts about a product that its lots do not state. */
export interface ProductFacts {
  /** cost of one unit, in cents */
  cost: number | null;
  /** whether prices include tax; the price before tax is then unknown, because taxes depend on the kind of product */
  hasTaxInPrices: boolean;
}

export function productRecord(row: Lot, id: string, { cost, hasTaxInPrices }: ProductFacts): PosProduct {
  const category = productCategory(row.category);
  const [, amount = "", unit = null] = /^([\d.]+)\s*(\S+)$/.exec(row.unit ?? "") ?? [];
  const isTiered = row.tier_name !== null || row.bulk_item === true;
  const form = isTiered ? "tiered, not kept" : hasTaxInPrices ? "with tax, not kept" : "before tax";
  if (row.price !== null) observeGuess("price of a product", form);
  return {
    ...emptyProduct,
    pos_product_id: id,
    name: row.name ?? `Product ${id}`,
    svc_product_category_name: category,
    pos_product_category_name: row.category,
    pos_strain_name: row.strain,
    pos_brand_name: row.brand,
    medicated: cannabisOf([row.category]),
    sku: row.sku,
    description: row.description,
    svc_net_weight_grams: netWeight(Number(amount), unit, category),
    pos_unit_of_measure: unit ?? row.unit,
    price: hasTaxInPrices || isTiered ? null : price(wholeCents(row.price)),
    unit_cost: nullIfNegative(cost === null ? null : fine(cost)),
    pos_updated_date: row.updated_at,
    images: images(row.image),
  };
}

/** The location of stock that lies in no room. */
export const outsideRooms = posLocation("venue", "Venue");

/** The rooms that a lot names; also the venue if the lot's total exceeds the sum of its rooms. */
export function placesOf(row: Lot): PosLocation[] {
  const rooms = row.rooms.flatMap(([name]) => (name === null ? [] : [posLocation(name, name)]));
  return restOf(row) > 0 ? [...rooms, outsideRooms] : rooms;
}

function restOf({ quantity_on_hand, rooms }: Lot): number {
  return fine((quantity_on_hand ?? 0) - sum(rooms.map(([, quantity]) => quantity)));
}

/** Rejects a lot without an amount in total or in a room: a missing amount does not mean 0. */
export function inventoryRecord(row: Lot): PosInventory | Rejection {
  if (row.quantity_on_hand === null) return { field: "quantity_on_hand", reason: "no_quantity" };
  if (row.rooms.some(([name, quantity]) => name === null || quantity === null)) {
    return { field: "rooms", reason: "no_quantity" };
  }
  return {
    pos_inventory_id: row.id,
    pos_product_id: row.product_id,
    name: row.name ?? `Inventory ${row.id}`,
    sku: row.sku,
    barcode: null,
    total_quantity: fine(row.quantity_on_hand),
    pos_updated_date: row.updated_at,
    location_data: quantities(row),
  };
}

function quantities(row: Lot): PosLocationQuantity[] {
  const rooms = row.rooms.map(([name, quantity]) => ({ name: name ?? "", id: name ?? "", quantity }));
  const parts = [...rooms, { name: outsideRooms.name, id: outsideRooms.pos_location_id, quantity: restOf(row) }];
  return [...Map.groupBy(parts, ({ id }) => id)].flatMap(([id, found]) =>
    quantityAt(id, found[0] ?? {}, fine(sum(found.map(({ quantity }) => quantity)))),
  );
}
