import type { Connection } from "../../pos/connector.ts";
import type { PosInventory, PosLocationQuantity } from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/** Maximum quantity at a location: the API's `int32`. */
const maxQuantity = 2 ** 31 - 1;

/**
 * Builds the inventory record of the API from a POS record. Quantities by location are rounded to whole numbers; the total
 * keeps its decimals (docs/spec.md#products-and-inventory).
 *
 * @returns null if the quantity at a location is too large for the record
 */
export function normalizeInventory(
  connection: Connection,
  inventory: PosInventory,
): RecordToWrite<RecordContent["inventory"]> | null {
  const { crbId, posType, timezone } = connection;
  const id = recordId(crbId, "inventory", posType, inventory.pos_inventory_id);
  const { pos_product_id: productId } = inventory;
  const locations = inventory.location_data && addedUp(inventory.location_data);
  if (locations?.some(({ quantity }) => Math.round(quantity) > maxQuantity)) return null;
  return {
    id,
    content: {
      id,
      crb_id: crbId,
      pos_type: posType,
      product_id: productId === null ? null : recordId(crbId, "product", posType, productId),
      name: inventory.name,
      sku: inventory.sku,
      barcode: inventory.barcode,
      total_quantity: Math.max(0, inventory.total_quantity),
      pos_updated_date: inventory.pos_updated_date,
      pos_updated_date_local: toLocalTime(inventory.pos_updated_date, timezone),
      svc_created_date: null,
      svc_updated_date: null,
      ...(locations && {
        location_data: locations.map((location) => ({
          name: location.name,
          quantity: Math.max(0, Math.round(location.quantity)),
          location_id: recordId(crbId, "location", posType, keyOf(location)),
          pos_location_type: location.pos_location_type,
        })),
      }),
    },
  };
}

const keyOf = ({ pos_key, pos_location_id }: PosLocationQuantity) => pos_key ?? pos_location_id;

/** Adds up the quantities of each location, and sorts by location id. A POS may list a location once per shelf or batch. */
function addedUp(locations: readonly PosLocationQuantity[]): PosLocationQuantity[] {
  const byKey = new Map<string, PosLocationQuantity>();
  for (const location of locations) {
    const before = byKey.get(keyOf(location));
    byKey.set(keyOf(location), before ? { ...before, quantity: before.quantity + location.quantity } : location);
  }
  return [...byKey.values()].sort((a, b) => (a.pos_location_id < b.pos_location_id ? -1 : 1));
}

/** Sets all quantities of a stored inventory record to 0. */
export function withoutStock(record: Record<string, unknown>): Record<string, unknown> {
  const { location_data: locations } = record as { location_data?: { quantity: number }[] };
  return {
    ...record,
    total_quantity: 0,
    svc_created_date: null,
    svc_updated_date: null,
    ...(locations && { location_data: locations.map((location) => ({ ...location, quantity: 0 })) }),
  };
}
