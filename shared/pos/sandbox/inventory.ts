import { type PosLocationQuantity, quantityAt } from "../posRecords.ts";
import { type Dice, dice } from "./dice.ts";
import { stockedLocations } from "./locations.ts";
import { pickProduct } from "./products.ts";
import { instantOf, perWorld, type RecordVersion, type SandboxKind, type World } from "./world.ts";

const day = 24 * 60 * 60 * 1000;

/** Packages. A package that is sold out or permanently removed is no longer listed; another package replaces it. */
export const inventory: SandboxKind<"inventory"> = {
  population: ({ businessType: type, deliveries: arrivals }) => ({
    initial: type === "retail" ? 600 : 250,
    arrivals,
    replaced: true,
  }),
  record(world, standing) {
    const chance = dice(world.crbId, "inventory", standing.index);
    const product = chance.percent(95) ? pickProduct(world, chance) : null;
    // Goods that are sold by weight are counted in tenths of their unit, so that the quantities by location add up.
    const parts = product?.line.unit === "Grams" ? 10 : 1;
    const stock = stockOf(standing, chance) * parts + (parts > 1 ? chance.between(0, 9) : 0);
    const places = spread(world, standing, stock).map((place) => ({ ...place, quantity: place.quantity / parts }));
    return {
      pos_inventory_id: String(firstNumber(world) + standing.index),
      pos_product_id: product?.id ?? null,
      name: product?.name ?? chance.pick(["Display Sample", "Unlabelled Jar", "Staff Sample", "Mixed Shake"]),
      sku: product?.sku ?? null,
      barcode: chance.percent(92) ? `1A4060300${chance.digits(15)}` : null,
      total_quantity: stock / parts,
      pos_updated_date: updated(world, standing, chance),
      location_data: chance.percent(98) ? places : null,
    };
  },
  complete: true,
};

const firstNumber = perWorld(({ crbId }) => dice(crbId, "inventory").between(1_000_000, 8_000_000));

/** The stock of a package falls in steps, one per change, and is refilled. A fifth of the packages reach 0. */
function stockOf({ index, version }: RecordVersion, chance: Dice): number {
  const full = chance.between(14, 240);
  const step = (index + version) % 6;
  return step === 5 && index % 5 === 0 ? 0 : full - Math.floor((full * step) / 7);
}

/** Distributes a quantity over rooms. A room is sometimes empty. */
function spread(world: World, { index, version }: RecordVersion, stock: number): PosLocationQuantity[] {
  const [front, vault, back] = stockedLocations(world);
  const chance = dice(world.crbId, "inventory", index, "rooms", Math.floor((index + version) / 2));
  const inFront = chance.percent(15) ? 0 : Math.floor((stock * chance.between(10, 60)) / 100);
  const inBack = chance.percent(60) ? 0 : Math.floor(((stock - inFront) * chance.between(10, 100)) / 100);
  return [
    { room: front, quantity: inFront },
    { room: vault, quantity: stock - inFront - inBack },
    { room: back, quantity: inBack },
  ].flatMap(({ room, quantity }) => (room ? quantityAt(room.pos_location_id, room, quantity) : []));
}

function updated(world: World, standing: RecordVersion, chance: Dice): string {
  const before = world.connectedAt - chance.between(60_000, 30 * day);
  const untouched = standing.version === 0 && standing.tick === 0;
  return (untouched ? new Date(before) : instantOf(world, standing.tick)).toISOString();
}
