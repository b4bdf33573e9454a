import type { ProductCategory } from "../posRecords.ts";
import { names } from "./words.ts";

/** The common properties of similar products. */
export interface ProductLine {
  /** number of products in this line, of every hundred products */
  share: number;
  category: ProductCategory | null;
  posCategory: string;
  subcategories: readonly [string | null, ...(string | null)[]];
  /** the last part of product names, after the brand and the strain */
  forms: readonly [string, ...string[]];
  /** weight of a unit */
  grams: number | null;
  /** milligrams of THC in a unit; null for flower, whose analyses are about THCA, and where nothing is stated */
  thc: number | null;
  unit: string;
  /** lowest and highest price in dollars */
  price: readonly [number, number];
  cannabis: boolean;
  /** set if products are sold by weight or number, with a price per unit that falls as the quantity rises */
  tiers?: readonly [Tier, ...Tier[]];
}

export interface Tier {
  name: string | null;
  type: "weight" | "quantity";
  condition: string;
  /** discount on the price of a unit */
  percentOff: number;
  /** number of units for which a customer gets this tier's price */
  units: number;
}

const byWeight: NonNullable<ProductLine["tiers"]> = [
  { name: "Gram", type: "weight", condition: "1-3.5", percentOff: 0, units: 2 },
  { name: "Eighth", type: "weight", condition: "3.5-7", percentOff: 8, units: 3.5 },
  { name: "Quarter", type: "weight", condition: "7-14", percentOff: 14, units: 7 },
  { name: "Half", type: "weight", condition: "14-28", percentOff: 20, units: 14 },
  { name: "Ounce", type: "weight", condition: ">=28", percentOff: 28, units: 28 },
];

const byNumber: NonNullable<ProductLine["tiers"]> = [
  { name: null, type: "quantity", condition: "1-9", percentOff: 0, units: 4 },
  { name: null, type: "quantity", condition: "10-24", percentOff: 6, units: 12 },
  { name: null, type: "quantity", condition: ">=25", percentOff: 12, units: 30 },
];

const pound = 453.59237;
const byPound = { unit: "Pounds", tiers: byNumber };
const distillates = "Distillate, 100 g|1 g Cartridges, Case of 100";
const cases = "Gummies 100 mg, Case of 25";

export const productLines: Record<"retail" | "wholesale", readonly [ProductLine, ...ProductLine[]]> = {
  retail: [
    line(12, "flower", "Flower", "Indica|Sativa|Hybrid", "Bulk Flower", 1, [7, 14], { unit: "Grams", tiers: byWeight }),
    line(14, "flower", "Flower", "Indica|Sativa|Hybrid", "3.5 g Jar|3.5 g Pouch", 3.5, [22, 55]),
    line(10, "flower", "Pre-Rolls", "Single", "1 g Pre-Roll", 1, [6, 14]),
    line(1, "flower", "Pre-Rolls", "Infused", "1 g Infused Pre-Roll", 1, [12, 18]),
    line(4, "flower", "Pre-Rolls", "Multipack", "Pre-Rolls 5-Pack", 3.5, [24, 45]),
    line(13, "oil/concentrate", "Vape", "Cartridge|Disposable", "1 g Cartridge|1 g Disposable", 1, [25, 60], {
      thc: 850,
    }),
    line(10, "extract", "Concentrates", "Rosin|Wax|", "1 g Live Rosin|1 g Badder|1 g Shatter", 1, [20, 65], {
      thc: 750,
    }),
    line(13, "edible", "Edibles", "Gummies|Chocolate", "Gummies 100 mg|Chocolate Bar 100 mg", 45, [12, 26], {
      thc: 100,
    }),
    line(5, "edible_liquid", "Beverages", "Soda|Tea", "Soda 10 mg|Iced Tea 10 mg", 355, [6, 14], { thc: 10 }),
    line(4, "liquid", "Tinctures", "", "Tincture 30 ml", 30, [28, 60], { thc: 100 }),
    line(4, "topical", "Topicals", "Balm|Lotion", "Relief Balm|Body Lotion", 57, [18, 48]),
    line(2, "seed", "Seeds & Clones", "Seeds", "Seeds 5-Pack", null, [30, 80]),
    line(1, "seedling", "Seeds & Clones", "Clones", "Clone", null, [12, 25]),
    line(5, "accessory", "Accessories", "Papers|Glass|", "Rolling Papers|Glass Pipe|Grinder", null, [3, 45]),
    line(2, null, "House", "", "Mystery Box|Tote Bag", null, [10, 30]),
  ],
  wholesale: [
    line(30, "flower", "Bulk Flower", "Indoor|Greenhouse|Outdoor", "Flower, Pound", pound, [600, 1600], byPound),
    line(10, "plant", "Trim", "", "Trim, Pound", pound, [60, 180], byPound),
    line(15, "flower", "Pre-Rolls", "Case", "1 g Pre-Rolls, Case of 50", 50, [120, 260], { tiers: byNumber }),
    line(15, "oil/concentrate", "Distillate", "Bulk|Cartridges", distillates, 100, [350, 900]),
    line(10, "extract", "Concentrates", "Live Resin", "Live Resin, 100 g", 100, [500, 1200]),
    line(15, "edible", "Edibles", "Gummies", cases, 1125, [140, 280], { tiers: byNumber, thc: 2500 }),
    line(5, null, "Packaging", "", "Labelled Jars, Case of 100", null, [40, 90]),
  ],
};

/** Separates subcategories and forms by vertical bars. An empty subcategory is none. */
function line(
  share: number,
  category: ProductLine["category"],
  posCategory: string,
  subcategories: string,
  forms: string,
  grams: number | null,
  price: ProductLine["price"],
  { unit = "Each", thc = null, ...tiers }: Partial<Pick<ProductLine, "unit" | "thc" | "tiers">> = {},
): ProductLine {
  const [first, ...others] = names(subcategories).map((name) => name || null);
  return {
    ...{ share, category, posCategory, grams, thc, unit, price, ...tiers },
    subcategories: [first ?? null, ...others],
    forms: names(forms),
    cannabis: category !== null && category !== "accessory",
  };
}

export const brands = names(`
  Alder & Ash | Blue Mesa | Canyon Craft | Copper Kettle | Driftless Farms | Fern Hollow | Good Neighbor | Harvest Lantern |
  Juniper House | Little Basin | Marigold Works | North Fork | Paper Moon | Quiet Acre | Red Barn | Salt Flat | Tall Pine |
  Willow Bend`);

export const strains = names(`
  Blue Dream | Blueberry | Bubba Kush | Cherry Pie | Chocolope | Critical Mass | Durban Poison | Gelato | Ghost Train Haze |
  Granddaddy Purple | Green Crack | Headband | Jack Herer | Lemon Haze | Mimosa | Northern Lights | OG Kush |
  Pineapple Express | Purple Punch | Runtz | Skywalker | Sour Diesel | Strawberry Cough | Sunset Sherbet | Super Lemon |
  Tangie | Trainwreck | Wedding Cake | White Widow | Zkittlez`);
