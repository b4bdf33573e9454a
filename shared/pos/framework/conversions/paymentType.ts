import type { PosRetailSale } from "../../posRecords.ts";
import { termFinder, words } from "./words.ts";

export type PaymentType = PosRetailSale["payments"][number]["type"];

/** The first match wins. Gift cards come before credit cards, because the name of a gift card can match both. */
const findType = termFinder<PaymentType>([
  ["multiple", "multiple,split"],
  ["other", "gift,loyalty,reward,point,coupon,voucher,prepay,pre pay,store credit,account credit"],
  ["debit", "debit,cashless,atm,pin"],
  ["ach", "ach,canpay,can pay,hypur,aeropay,aero pay,paytender,pay tender,bank,checking"],
  ["wire", "wire"],
  ["check", "check,cheque,money order"],
  ["cash", "cash"],
  ["credit", "credit,visa,mastercard,amex,discover,card"],
]);

/**
 * Maps a POS's payment names to the specification's type: `unknown` if the texts contain no words, `other` if no term
 * matches.
 */
export function paymentType(...texts: (string | null)[]): PaymentType {
  return texts.every((text) => words(text).length === 0) ? "unknown" : (findType(texts) ?? "other");
}
