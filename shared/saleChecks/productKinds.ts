import type { CheckedLine } from "./saleRule.ts";
import words from "./words.json" with { type: "json" };

/** What a line may be, as rules distinguish products. */
export type ProductKind = "flower" | "concentrate" | "edible" | "topical" | "plant";

export const everyKind: readonly ProductKind[] = ["flower", "concentrate", "edible", "topical", "plant"];

/** The kind of each category that has one. `solid` and `liquid` are suppositories, tinctures and sprays. */
const kinds: Readonly<Record<string, ProductKind>> = {
  flower: "flower",
  "oil/concentrate": "concentrate",
  extract: "concentrate",
  edible: "edible",
  edible_liquid: "edible",
  liquid: "edible",
  solid: "edible",
  topical: "topical",
  seed: "plant",
  seedling: "plant",
  plant: "plant",
};

/** The kind of a category; null if its products may be of several kinds, or are no cannabis. */
export const kindOf = (category: string | null): ProductKind | null =>
  category !== null && Object.hasOwn(kinds, category) ? (kinds[category] ?? null) : null;

/**
 * The kinds that a line may be: one if it is certain, several if it is not, none if the line is certainly no cannabis. The POS's
 * category counts before the product's name, and a name makes it uncertain if it has a word of `words.json` that contradicts.
 */
export function productKinds(line: CheckedLine): readonly ProductKind[] {
  const { product_type: category, cannabis_product: isCannabis } = line;
  if (isCannabis !== true && category === "accessory") return [];
  if (isCannabis === false && (category === null || category === "other")) return [];
  // Hemp may have the category of cannabis.
  if (isCannabis !== true) return everyKind;
  const name = normalize(line.product_name);
  const kind = kindOf(category);
  if (kind === "flower") return hasWord(name, "unclearFlower") ? everyKind : ["flower"];
  if (kind === "concentrate") {
    if (hasWord(name, "mayBeFlower")) return everyKind;
    const isCertain = category === "extract" || hasWord(name, "certainConcentrate");
    return isCertain && !hasWord(name, "unclearConcentrate") ? ["concentrate"] : ["concentrate", "edible", "topical"];
  }
  return kind ? [kind] : everyKind;
}

/** Whether a line is certainly a cartridge or another device for vapor. */
export function isCartridge(line: CheckedLine): boolean {
  return productKinds(line).join() === "concentrate" && hasWord(normalize(line.product_name), "cartridge");
}

/** Whether a line is certainly cannabis: the POS says so, and its category does not contradict. */
export function isCannabis({ cannabis_product, product_type }: CheckedLine): boolean {
  return cannabis_product === true && product_type !== "accessory" && product_type !== "other";
}

const hasWord = (name: string, list: keyof typeof words): boolean => terms[list].some((term) => name.includes(term));

/** Lower-case words without accents and without a final `s`, each with a blank on both sides. */
function normalize(text: string | null): string {
  const plain = (text ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const found = plain.match(/[a-z]+/g) ?? [];
  return ` ${found.map((word) => word.replace(/(?<=..)s$/, "")).join(" ")} `;
}

/** The words of `words.json` as names are compared with them. */
const terms = Object.fromEntries(
  Object.entries(words).map(([list, found]) => [list, found.map(normalize)]),
) as unknown as Record<keyof typeof words, readonly string[]>;
