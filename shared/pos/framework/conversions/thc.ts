import { fine } from "./cents.ts";

/**
 * Milligrams of THC in one unit, to four decimals. A POS states 0 also where it has no amount.
 *
 * @param amount THC, without its acid, in `unit`
 * @param unit `mg` of the unit, or its share: `%` or `mg/g`
 * @param netWeight grams of the unit; null if unknown
 * @returns null unless the amount is above 0 and its unit is known, for a share without a weight, and for more THC than weight
 */
export function thcMilligrams(amount: number | null, unit: string | null, netWeight: number | null): number | null {
  if (amount === null || amount <= 0) return null;
  const perGram = { "%": amount * 10, "mg/g": amount }[plain(unit)];
  const milligrams = plain(unit) === "mg" ? amount : perGram && netWeight ? perGram * netWeight : null;
  if (milligrams === null || (netWeight !== null && milligrams > netWeight * 1000)) return null;
  return fine(milligrams);
}

const plain = (unit: string | null): string => (unit ?? "").trim().toLowerCase();
