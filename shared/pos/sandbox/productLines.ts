import type { ProductCategory } from "../posRecords.ts";

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

export const productLines: Record<"retail" | "wholesale", readonly [ProductLine, ...ProductLine[]]> = {
  retail: [
    line(12, "flower", "Flower", ["Indica", "Sativa", "Hybrid"], ["Bulk Flower"], 1, "Grams", [7, 14], byWeight),
    line(14, "flower", "Flower", ["Indica", "Sativa", "Hybrid"], ["3.5 g Jar", "3.5 g Pouch"], 3.5, "Each", [22, 55]),
    line(10, "flower", "Pre-Rolls", ["Single"], ["1 g Pre-Roll"], 1, "Each", [6, 14]),
    line(1, "flower", "Pre-Rolls", ["Infused"], ["1 g Infused Pre-Roll"], 1, "Each", [12, 18]),
    line(4, "flower", "Pre-Rolls", ["Multipack"], ["Pre-Rolls 5-Pack"], 3.5, "Each", [24, 45]),
    withThc(
      850,
      line(
        13,
        "oil/concentrate",
        "Vape",
        ["Cartridge", "Disposable"],
        ["1 g Cartridge", "1 g Disposable"],
        1,
        "Each",
        [25, 60],
      ),
    ),
    withThc(
      750,
      line(
        10,
        "extract",
        "Concentrates",
        ["Rosin", "Wax", null],
        ["1 g Live Rosin", "1 g Badder", "1 g Shatter"],
        1,
        "Each",
        [20, 65],
      ),
    ),
    withThc(
      100,
      line(
        13,
        "edible",
        "Edibles",
        ["Gummies", "Chocolate"],
        ["Gummies 100 mg", "Chocolate Bar 100 mg"],
        45,
        "Each",
        [12, 26],
      ),
    ),
    withThc(
      10,
      line(5, "edible_liquid", "Beverages", ["Soda", "Tea"], ["Soda 10 mg", "Iced Tea 10 mg"], 355, "Each", [6, 14]),
    ),
    withThc(100, line(4, "liquid", "Tinctures", [null], ["Tincture 30 ml"], 30, "Each", [28, 60])),
    line(4, "topical", "Topicals", ["Balm", "Lotion"], ["Relief Balm", "Body Lotion"], 57, "Each", [18, 48]),
    line(2, "seed", "Seeds & Clones", ["Seeds"], ["Seeds 5-Pack"], null, "Each", [30, 80]),
    line(1, "seedling", "Seeds & Clones", ["Clones"], ["Clone"], null, "Each", [12, 25]),
    line(
      5,
      "accessory",
      "Accessories",
      ["Papers", "Glass", null],
      ["Rolling Papers", "Glass Pipe", "Grinder"],
      null,
      "Each",
      [3, 45],
    ),
    line(2, null, "House", [null], ["Mystery Box", "Tote Bag"], null, "Each", [10, 30]),
  ],
  wholesale: [
    line(
      30,
      "flower",
      "Bulk Flower",
      ["Indoor", "Greenhouse", "Outdoor"],
      ["Flower, Pound"],
      pound,
      "Pounds",
      [600, 1600],
      byNumber,
    ),
    line(10, "plant", "Trim", [null], ["Trim, Pound"], pound, "Pounds", [60, 180], byNumber),
    line(15, "flower", "Pre-Rolls", ["Case"], ["1 g Pre-Rolls, Case of 50"], 50, "Each", [120, 260], byNumber),
    line(
      15,
      "oil/concentrate",
      "Distillate",
      ["Bulk", "Cartridges"],
      ["Distillate, 100 g", "1 g Cartridges, Case of 100"],
      100,
      "Each",
      [350, 900],
    ),
    line(10, "extract", "Concentrates", ["Live Resin"], ["Live Resin, 100 g"], 100, "Each", [500, 1200]),
    withThc(
      2500,
      line(15, "edible", "Edibles", ["Gummies"], ["Gummies 100 mg, Case of 25"], 1125, "Each", [140, 280], byNumber),
    ),
    line(5, null, "Packaging", [null], ["Labelled Jars, Case of 100"], null, "Each", [40, 90]),
  ],
};

function line(
  share: number,
  category: ProductLine["category"],
  posCategory: string,
  subcategories: ProductLine["subcategories"],
  forms: ProductLine["forms"],
  grams: number | null,
  unit: string,
  price: ProductLine["price"],
  tiers?: ProductLine["tiers"],
): ProductLine {
  const cannabis = category !== null && category !== "accessory";
  const details = { share, category, posCategory, subcategories, forms, grams, thc: null, unit, price, cannabis };
  return { ...details, ...(tiers && { tiers }) };
}

function withThc(thc: number, line: ProductLine): ProductLine {
  return { ...line, thc };
}

export const brands = [
  "Alder & Ash",
  "Blue Mesa",
  "Canyon Craft",
  "Copper Kettle",
  "Driftless Farms",
  "Fern Hollow",
  "Good Neighbor",
  "Harvest Lantern",
  "Juniper House",
  "Little Basin",
  "Marigold Works",
  "North Fork",
  "Paper Moon",
  "Quiet Acre",
  "Red Barn",
  "Salt Flat",
  "Tall Pine",
  "Willow Bend",
] as const;

export const strains = [
  "Blue Dream",
  "Blueberry",
  "Bubba Kush",
  "Cherry Pie",
  "Chocolope",
  "Critical Mass",
  "Durban Poison",
  "Gelato",
  "Ghost Train Haze",
  "Granddaddy Purple",
  "Green Crack",
  "Headband",
  "Jack Herer",
  "Lemon Haze",
  "Mimosa",
  "Northern Lights",
  "OG Kush",
  "Pineapple Express",
  "Purple Punch",
  "Runtz",
  "Skywalker",
  "Sour Diesel",
  "Strawberry Cough",
  "Sunset Sherbet",
  "Super Lemon",
  "Tangie",
  "Trainwreck",
  "Wedding Cake",
  "White Widow",
  "Zkittlez",
] as const;
