import type { ProductCategory } from "../../posRecords.ts";
import { termFinder } from "./words.ts";

/** Words of each category. The first match wins: a vape's battery is an accessory, not a vape. */
const findCategory = termFinder<ProductCategory>([
  ["marijuana_product", "nonedible,non edible"],
  ["seedling", "seedling,clone,immature"],
  ["seed", "seed"],
  [
    "accessory",
    "accessory,accessories,merch,merchandise,apparel,clothing,paraphernalia,battery,batteries,gear,lighter,paper,pipe,glass,device",
  ],
  ["edible_liquid", "beverage,drink,soda,tea,coffee"],
  ["flower", "preroll,pre roll,joint,blunt,flower,bud,shake,small,popcorn"],
  ["oil/concentrate", "cartridge,cart,vape,vaporizer,disposable,concentrate,oil,distillate,rso"],
  ["extract", "extract,wax,shatter,rosin,resin,hash,kief,badder,budder,crumble,sauce,diamond"],
  ["topical", "topical,lotion,balm,salve,patch,patches,bath"],
  ["edible", "edible,gummy,gummies,chocolate,cookie,candy,candies,baked,pill,capsule,tablet"],
  ["liquid", "tincture,sublingual,spray"],
  ["solid", "suppository,suppositories"],
  ["plant", "plant"],
  ["other", "misc,miscellaneous,other,non inv,service,fee,sample"],
  ["marijuana_product", "marijuana,cannabis,infused"],
]);

/** Maps a POS's category, subcategory and type to a category of the specification; null without a match. */
export function productCategory(...texts: (string | null)[]): ProductCategory | null {
  return findCategory(texts);
}

/** Whether products of a category contain cannabis; null if the category leaves this open. */
export function isCannabis(category: ProductCategory | null): boolean | null {
  if (category === null || category === "other") return null;
  return category !== "accessory";
}
