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
