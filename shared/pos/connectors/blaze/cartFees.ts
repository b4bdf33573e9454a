import { isSameSum, sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { observeGuess } from "../../framework/observer.ts";
import { type PosFee, posFee } from "../../posRecords.ts";
import type { Cart } from "./responses.ts";

/** A part of a cart's total that is neither goods nor tax, in cents. */
interface Part {
  name: string;
  amount: number;
  /** whether the total contains the part, as far as the cart's fields show */
  isIncluded: boolean;
}

/**
 * The fees in a cart's total; discounts after tax are fees below 0. Blaze does not document which parts the total
 * contains. So the reading whose subtotal is the cart's own is chosen: first the one that the cart's fields show, then
 * those that differ from it in one part. If none is, the cart's fields decide.
 */
export function feesOf(cart: Cart): PosFee[] {
  const parts = partsOf(cart);
  const readings = [
    parts,
    ...parts.map((one) => parts.map((part) => (part === one ? { ...part, isIncluded: !part.isIncluded } : part))),
  ];
  const found = readings.findIndex((reading) => isOwnSubtotal(cart, reading));
  if (found > 0) observeGuess("fees in the total of a cart", `unlike the fields: ${parts[found - 1]?.name}`);
  if (found === -1 && cart.subTotal !== null) observeGuess("subtotal of a cart", "differs from its total");
  const included = (readings[Math.max(0, found)] ?? parts).filter(({ isIncluded }) => isIncluded);
  return included.map(({ name, amount }) => posFee(name, amount));
}

/** Whether the goods in a cart's total come to one of the subtotals that the cart states. */
function isOwnSubtotal(cart: Cart, parts: readonly Part[]): boolean {
  const total = dollarsToCents(cart.total);
  const subTotal = dollarsToCents(cart.subTotal);
  if (total === null || subTotal === null) return false;
  const preTax = dollarsToCents(cart.totalPreCalcTax) ?? 0;
  const included = parts.filter(({ isIncluded }) => isIncluded).map(({ amount }) => amount);
  const goods = total - (dollarsToCents(cart.totalCalcTax) ?? 0) - preTax - sum(included);
  const discounted = [
    subTotal,
    dollarsToCents(cart.subTotalDiscount) ?? subTotal,
    subTotal - (dollarsToCents(cart.calcCartDiscount) ?? 0),
    subTotal - (dollarsToCents(cart.totalDiscount) ?? 0),
  ];
  // Prices may contain the tax that Blaze calculates before the total.
  return discounted.some((own) => [own, own - preTax].some((one) => isSameSum(goods, one, cart.items.length)));
}

function partsOf(cart: Cart): Part[] {
  const cents = (amount: string | null) => dollarsToCents(amount) ?? 0;
  const [delivery, card] = [cents(cart.deliveryFee), cents(cart.creditCardFee)];
  const hasDelivery = cart.enableDeliveryFee !== false;
  const hasCard = cart.enableCreditCardFee !== false;
  const isPercentage = cart.deliveryDiscountType === "Percentage";
  const deliveryDiscount = isPercentage
    ? Math.round((delivery * Number(cart.deliveryDiscount ?? 0)) / 100)
    : cents(cart.deliveryDiscount);
  const known = (hasDelivery ? delivery : 0) + (hasCard ? card : 0);
  const parts: Part[] = [
    { name: "Delivery", amount: delivery, isIncluded: hasDelivery },
    { name: "Delivery discount", amount: -deliveryDiscount, isIncluded: hasDelivery },
    { name: "Credit card", amount: card, isIncluded: hasCard },
    { name: "Other", amount: Math.max(0, cents(cart.totalFees) - known), isIncluded: true },
    { name: "Tip", amount: cents(cart.tipAmount), isIncluded: true },
    { name: "Rounding", amount: cents(cart.roundAmt), isIncluded: true },
    { name: "Discount after tax", amount: -cents(cart.appliedAfterTaxDiscount), isIncluded: true },
  ];
  return parts.filter(({ amount }) => amount !== 0);
}
