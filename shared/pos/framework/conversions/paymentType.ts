import type { PosRetailSale } from "../../posRecords.ts";
import { termFinder, words } from "./words.ts";

export type PaymentType = PosRetailSale["payments"][number]["type"];

/** The first that fits counts: a gift card is no credit card. */
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

/** The means of payment of the specification for what a POS calls it; `unknown` when it says nothing, else `other`. */
export function paymentType(...texts: (string | null)[]): PaymentType {
  return texts.every((text) => words(text).length === 0) ? "unknown" : (findType(texts) ?? "other");
}
