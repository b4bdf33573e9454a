import { isSameSum, sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { observeGuess } from "../../framework/observer.ts";
import type { TicketItem } from "./responses.ts";

/** How the amounts of a ticket count the reward dollars of its lines. */
export type RewardReading = "in prices" | "not in prices" | "payment";

type RewardedItem = Pick<TicketItem, "price_sell" | "reward_dollars" | "discounts" | "POS_discounts">;

/** The amounts of a ticket, in cents; those of a refund may be negative. */
interface TicketAmounts {
  subtotal: number | null;
  /** the subtotal, the tax and the fees */
  parts: number | null;
  total: number | null;
}

/**
 * Reads whether reward dollars are a discount or a payment. Treez does not document this. If the total is lower than its parts
 * by the rewards, the rewards are a payment. Otherwise they are a discount, which the prices of the lines contain
 * or do not contain yet: the subtotal shows which.
 *
 * @param items the items of the ticket without its fees
 */
export function readRewards(items: readonly RewardedItem[], { subtotal, parts, total }: TicketAmounts): RewardReading {
  const rewards = sum(items.map(rewardOf));
  if (rewards === 0) return "in prices";
  const reading = () => {
    if (parts !== null && total !== null && isSameSum(Math.abs(parts), Math.abs(total) + rewards)) return "payment";
    const sold = Math.abs(sum(items.map(({ price_sell }) => dollarsToCents(price_sell))));
    const isLower = subtotal !== null && isSameSum(sold - rewards, Math.abs(subtotal), items.length);
    return isLower && !isSameSum(sold, Math.abs(subtotal)) ? "not in prices" : "in prices";
  };
  const found = reading();
  observeGuess("reward dollars", found);
  return found;
}

/** The reward dollars of an item in cents; 0 if a discount of the item repeats them. */
export function rewardOf({ reward_dollars, discounts, POS_discounts }: RewardedItem): number {
  const reward = Math.abs(dollarsToCents(reward_dollars) ?? 0);
  const isRepeated = [...discounts, ...POS_discounts].some(
    ({ discount_title, savings }) =>
      /reward|loyalty/i.test(discount_title ?? "") && Math.abs(dollarsToCents(savings) ?? 0) === reward,
  );
  return isRepeated ? 0 : reward;
}
