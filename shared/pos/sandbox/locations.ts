import type { PosLocation } from "../posRecords.ts";
import { perWorld, type SandboxKind, type World } from "./world.ts";

/** Inventory locations. The last location never holds inventory. Locations never change. */
const rooms = {
  retail: [
    { name: "Sales Floor", type: "Sales Floor" },
    { name: "Vault", type: "Vault" },
    { name: "Back Stock", type: "Inventory" },
    { name: "Quarantine", type: "Quarantine" },
  ],
  wholesale: [
    { name: "Warehouse", type: "Inventory" },
    { name: "Cold Storage", type: "Inventory, Vault" },
    { name: "Shipping Dock", type: null },
    { name: "Quarantine", type: "Quarantine" },
  ],
} as const;

export const locations: SandboxKind<"location"> = {
  population: (world) => ({ initial: locationsOf(world).length, maxChanges: () => 0 }),
  record(world, { index }) {
    const location = locationsOf(world)[index];
    if (!location) throw new RangeError(`no location ${index}`);
    return location;
  },
  complete: true,
};

/** Locations that hold inventory. */
export function stockedLocations(world: World): PosLocation[] {
  return locationsOf(world).slice(0, -1);
}

const locationsOf = perWorld((world): PosLocation[] =>
  rooms[world.businessType].map(({ name, type }, i) => ({
    pos_location_id: String(101 + i),
    name,
    pos_location_type: type,
    // Most POS systems return no date for a room.
    pos_updated_date: null,
  })),
);
