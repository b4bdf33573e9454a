import type { PosPriceTier, PosProduct } from "../../posRecords.ts";
import { price } from "./cents.ts";

/**
 * A price tier, as a list. It is empty unless the tier's price and condition are known.
 *
 * @param amount cents
 */
export function priceTier(
  amount: number | null,
  pos_tier_type: string,
  condition: string | null,
  tier_name: string | null,
): PosPriceTier[] {
  const tier_price = price(amount);
  if (tier_price === null || condition === null) return [];
  const pos_tier_type_condition_value = condition;
  return [{ tier_name, tier_price, pos_tier_type, pos_tier_type_condition_value, tier_valid_until_date: null }];
}

/** The prices of a product. With price tiers, a price of 0 means that the product has no single price. */
export const prices = (amount: number | null, tiers: PosPriceTier[]): Pick<PosProduct, "price" | "price_tiers"> => ({
  price: amount === 0 && tiers.length > 0 ? null : price(amount),
  price_tiers: tiers.length > 0 ? tiers : null,
});
