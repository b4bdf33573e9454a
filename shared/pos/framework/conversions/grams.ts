import type { ProductCategory } from "../../posRecords.ts";
import { fine } from "./cents.ts";

const gramsOf: Readonly<Record<string, number>> = {
  g: 1,
  gram: 1,
  grams: 1,
  mg: 0.001,
  milligram: 0.001,
  milligrams: 0.001,
  kg: 1000,
  oz: 28.349523125,
  ounce: 28.349523125,
  ounces: 28.349523125,
  lb: 453.59237,
  pound: 453.59237,
  pounds: 453.59237,
};

/** Grams per unit; null if the unit is not a weight. */
export function gramsPer(unit: string | null): number | null {
  const name = (unit ?? "").trim().toLowerCase().replace(/\.$/, "");
  return Object.hasOwn(gramsOf, name) ? (gramsOf[name] ?? null) : null;
}

/** A weight in grams, to four decimals; null unless the amount is above 0 and the unit is a weight. */
export function grams(amount: number | null, unit: string | null): number | null {
  return (amount ?? 0) > 0 ? weight(amount, gramsPer(unit)) : null;
}

/** Total weight in grams to four decimals, negative for returns; null if there is no weight. */
export function weight(count: number | null, gramsEach: number | null): number | null {
  return count === null || gramsEach === null || gramsEach <= 0 || count === 0 ? null : fine(count * gramsEach);
}

/** Categories whose products are sold by weight, even below a gram, such as a cartridge of 500 mg or a pre-roll of 700 mg. */
const soldByWeight: ReadonlySet<ProductCategory | null> = new Set(["flower", "oil/concentrate", "extract"]);

/**
 * Whether an amount is the dose of an active ingredient, as in gummies of 100 mg, and no weight. Milligrams are a net weight
 * only in a category that is sold by weight.
 *
 * @param gramsEach grams per unit of the amount
 */
export const isDose = (gramsEach: number | null, category: ProductCategory | null): boolean =>
  gramsEach === gramsOf.mg && !soldByWeight.has(category);

/** Grams per unit of a net weight; null if the unit is missing or not a weight, or the amount may be a dose. */
export function netGramsPer(unit: string | null, category: ProductCategory | null): number | null {
  const gramsEach = gramsPer(unit);
  return isDose(gramsEach, category) ? null : gramsEach;
}

/** The net weight of a product in grams, to four decimals; null if it is unknown, and for a dose. */
export function netWeight(amount: number | null, unit: string | null, category: ProductCategory | null): number | null {
  return (amount ?? 0) > 0 ? weight(amount, netGramsPer(unit, category)) : null;
}
