import { emptyProduct, type PosPriceTier, type PosProduct } from "../posRecords.ts";
import { type Dice, dice } from "./dice.ts";
import { brands, type ProductLine, productLines, strains, type Tier } from "./productLines.ts";
import {
  instantOf,
  type Population,
  perWorld,
  type RecordVersion,
  recordVersionOf,
  type SandboxKind,
  type World,
} from "./world.ts";

const day = 24 * 60 * 60 * 1000;

export const products: SandboxKind<"product"> = {
  population,
  record(world, standing) {
    const product = productAt(world, standing.index);
    const { id, name, line, brand, strain, sku } = product;
    const chance = dice(world.crbId, "product", standing.index, "details");
    const price = priceOf(product, standing.version);
    return {
      ...emptyProduct,
      pos_product_id: id,
      name,
      svc_product_category_name: line.category,
      pos_product_category_name: line.posCategory,
      pos_product_subcategory_name: chance.pick(line.subcategories),
      pos_strain_name: strain,
      pos_brand_name: brand,
      medicated: line.category === null ? null : line.cannabis,
      sku,
      description: chance.percent(75) ? `${name}. ${chance.pick(descriptions)}` : null,
      svc_net_weight_grams: line.grams,
      thc_mg_per_unit: line.thc,
      pos_unit_of_measure: chance.percent(96) ? line.unit : null,
      price: line.tiers ? null : price,
      // The cost is a percentage of whole cents, so it has up to two decimals. The cost stays the same when the price
      // changes.
      unit_cost: chance.percent(90) ? (product.usualPrice * chance.between(38, 62)) / 100 : null,
      pos_updated_date: updated(world, standing, chance),
      price_tiers: line.tiers?.map((tier) => priceTier(world, tier, price, chance)) ?? null,
      images: images(id, chance),
    };
  },
};

function population({ businessType }: World): Population {
  return { initial: businessType === "retail" ? 400 : 150 };
}

/** The properties of a product that never change, and the properties that other records use. */
export interface Product {
  index: number;
  id: string;
  name: string;
  line: ProductLine;
  brand: string | null;
  strain: string | null;
  sku: string | null;
  /** price of a unit in cents, without tiers: a multiple of 50, as is usual in shops */
  usualPrice: number;
}

/** Generated products are cached, because many sales contain the same product. */
const allProducts = perWorld((world) =>
  Array.from({ length: population(world).initial }, (_, index) => makeProduct(world, index)),
);

function productAt(world: World, index: number): Product {
  const product = allProducts(world)[index];
  if (!product) throw new RangeError(`no product ${index}`);
  return product;
}

const firstNumber = perWorld(({ crbId }) => dice(crbId, "product").between(100_000, 900_000));

function makeProduct(world: World, index: number): Product {
  const chance = dice(world.crbId, "product", index);
  const line = pickLine(world, chance);
  const brand = chance.percent(90) ? chance.pick(brands) : null;
  const strain = line.cannabis ? chance.pick(strains) : null;
  return {
    index,
    id: String(firstNumber(world) + index),
    name: [brand, strain, chance.pick(line.forms)].filter((part) => part !== null).join(" "),
    line,
    brand,
    strain,
    sku: chance.percent(96) ? `${line.posCategory.slice(0, 2).toUpperCase()}-${chance.digits(6)}` : null,
    usualPrice: chance.between(2 * line.price[0], 2 * line.price[1]) * 50,
  };
}

function pickLine({ businessType }: World, chance: Dice): ProductLine {
  const lines = productLines[businessType];
  let place = chance.between(1, 100);
  for (const line of lines) {
    place -= line.share;
    if (place <= 0) return line;
  }
  return lines[0];
}

export function pickProduct(world: World, chance: Dice): Product {
  return chance.pick(allProducts(world) as [Product, ...Product[]]);
}

/** A product of a category that has a price of its own and whose name ends in a form; undefined if there is none. */
export function findProduct(
  world: World,
  chance: Dice,
  { category, form }: { category: ProductLine["category"]; form: string },
): Product | undefined {
  const [first, ...others] = allProducts(world).filter(
    ({ line, name }) => line.category === category && !line.tiers && name.endsWith(form),
  );
  return first && chance.pick([first, ...others]);
}

/** Price of a unit in cents at a tick, without tiers. */
export function priceAtTick(world: World, product: Product, tick: number): number {
  return priceOf(product, recordVersionOf(population(world), product.index, tick).version);
}

/** The price rises and falls by about six percent and returns to its first value. */
function priceOf({ usualPrice }: Product, version: number): number {
  const step = Math.max(50, Math.round((usualPrice * 0.06) / 50) * 50);
  return usualPrice + step * ([0, 1, -1][version % 3] ?? 0);
}

/** Price of a unit in cents with a tier. It is even, so that half a unit also costs whole cents. */
export function tierPrice(price: number, { percentOff }: Tier): number {
  return 2 * Math.round((price * (100 - percentOff)) / 200);
}

function priceTier(world: World, tier: Tier, price: number, chance: Dice): PosPriceTier {
  const ends = world.connectedAt + chance.between(10, 200) * day;
  return {
    tier_name: tier.name,
    tier_price: tierPrice(price, tier),
    pos_tier_type: tier.type,
    pos_tier_type_condition_value: tier.condition,
    tier_valid_until_date: tier.percentOff > 0 && chance.percent(12) ? new Date(ends).toISOString() : null,
  };
}

function images(id: string, chance: Dice): PosProduct["images"] {
  if (chance.percent(35)) return null;
  return Array.from({ length: chance.between(1, 3) }, (_, i) => ({
    url: `https://images.example.com/products/${id}-${i + 1}.jpg`,
    description: chance.percent(40) ? chance.pick(["Front", "Back", "Label", "Opened"]) : null,
  }));
}

function updated(world: World, standing: RecordVersion, chance: Dice): string {
  const before = world.connectedAt - chance.between(60_000, 300 * day);
  return (standing.version === 0 ? new Date(before) : instantOf(world, standing.tick)).toISOString();
}

const descriptions = [
  "Tested for potency and purity.",
  "Grown and packed in small batches.",
  "A favorite of the house.",
  "Keep out of reach of children.",
  "Store in a cool, dark place.",
] as const;
