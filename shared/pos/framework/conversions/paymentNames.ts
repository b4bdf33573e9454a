import type { PosPayment } from "../../posRecords.ts";

// The names of means of payment that POS systems and their merchants use, with the source of each name. Marks as in
// docs/pos/README.md#proof: D (a company documents it), C (public client code, or a payload, has it), A (an assumption).

/**
 * The meaning of a name:
 *
 * - `compound`: a brand, or words with a meaning of their own. It decides over single words
 * - `word`: a single means. Several of them in one name are several means
 * - `card`: a card of any kind, so never cash, a check or a transfer. Its type counts only if no word says the kind
 * - `vague`: another means. Counts only if nothing else is known
 * - `no means`: contains the word of a means, but does not name that means
 */
export type NameMeaning = "compound" | "word" | "card" | "vague" | "no means";

/** Names with one meaning and source. */
export interface PaymentNames {
  meaning: NameMeaning;
  type: PosPayment["type"];
  /** separated by commas. Letter case, spaces, punctuation and a final `s` do not matter */
  names: string;
  source: string;
}

const square = "D: Square, TenderType and ExternalPaymentDetails";
const shopify = "D: Shopify, OrderTransactionType";
const toast = "D: Toast, Payment.type and cardType of the Orders API";
const arts = "D: ARTS Operational Data Model, TenderTypeCode";
const rebilly = "D: Rebilly, PaymentMethod";
const treez = "D: Treez, TreezPay types";
const general = "A: in general use";

export const paymentNames: readonly PaymentNames[] = [
  {
    meaning: "word",
    type: "cash",
    names: "cash",
    source: "D: Flowhub, Treez, Meadow, Flourish, Square, Toast; C: Blaze",
  },
  { meaning: "word", type: "cash", names: "cash payment", source: "D: Square, Take Cash Payments" },
  {
    meaning: "word",
    type: "cash",
    names: "paid in cash, pay in cash, payment in cash, cash in store, cash in person, cash in hand",
    source: general,
  },
  {
    meaning: "word",
    type: "cash",
    names: "efectivo, espèces",
    source: "C: metodo_pago of public Spanish POS code; D: Dynamics 365 Commerce (Espèces)",
  },
  {
    meaning: "word",
    type: "cash",
    names: "change, change due, change given",
    source: "C: POSaBIT, sales_tenders: the money given back",
  },

  {
    meaning: "compound",
    type: "other",
    names: "cash app, cash app pay, square cash, square cash app, wallet",
    source: square,
  },
  { meaning: "compound", type: "other", names: "apple cash, google wallet", source: general },
  {
    meaning: "compound",
    type: "other",
    names:
      "gcash, e cash, m cash, cash u, shop cash, cash in store credit, cash pay, cash card, store cash, cash coupon, cash voucher",
    source: general,
  },
  { meaning: "compound", type: "other", names: "adv cash, cashlib, cash to code", source: rebilly },
  {
    meaning: "compound",
    type: "other",
    names: "zelle, venmo, paypal, chime, social, spence, jane pay, kindtap",
    source: `${general}; ${square} (SOCIAL: such apps)`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "cash on delivery, collect on delivery, COD, bank deposit",
    source: `${shopify}. The terms say where it is paid, not how`,
  },
  { meaning: "compound", type: "other", names: "cash deposit", source: rebilly },
  {
    meaning: "compound",
    type: "other",
    names: "EBT, EBT cash, EBT card, SNAP, WIC, food stamp",
    source: "C: jagcolombat/posfront, PaymentMethodEnum; D: ARTS",
  },
  {
    meaning: "compound",
    type: "other",
    names: "crypto, crypto currency, bitcoin, ethereum, litecoin, USDC, stablecoin",
    source: `${square} (CRYPTO)`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "klarna, afterpay, affirm, sezzle, zip pay, buy now pay later, shopify installment",
    source: `${square} (BUY_NOW_PAY_LATER); ${shopify}`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "gift, gift card, gift certificate, gift check, gift cash",
    source: `D: Dutchie, giftPaid; ${toast}`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "loyalty, loyalty point, loyalty card, reward, reward card, point, stored value, stored balance, levelup",
    source: `D: Flowhub, loyaltyPoints; ${toast}; ${arts}`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "coupon, voucher, food voucher, promo, promo code, trade in",
    source: `${arts}; ${square}`,
  },
  {
    meaning: "compound",
    type: "other",
    names: "prepay, prepayment, prepaid, prepaid card, linx",
    source: "D: Dutchie, prePaymentAmount; D: Flourish, payment types",
  },
  {
    meaning: "compound",
    type: "other",
    names:
      "store credit, store credit issued, account credit, credit account, customer credit, house credit, in house credit",
    source: `D: Flourish, Meadow; ${shopify}; C: Blaze`,
  },
  {
    meaning: "compound",
    type: "other",
    names:
      "debit memo, debit note, credit memo, credit note, credit line, line of credit, credit balance, credit union, site credit, employee credit",
    source: general,
  },
  {
    meaning: "compound",
    type: "other",
    names: "referral credit, promo credit, promotional credit, loyalty credit, reward credit, vendor credit",
    source: general,
  },
  {
    meaning: "compound",
    type: "other",
    names:
      "house account, square account, account charge, charge account, customer account, cust acct, on account, cash on account",
    source: `${toast}; ${square}; ${arts}`,
  },

  {
    meaning: "word",
    type: "debit",
    names: "debit, debit card, débito",
    source: "D: Flowhub, Meadow, Flourish; C: POSaBIT",
  },
  { meaning: "compound", type: "debit", names: "PIN debit, cashless ATM, integrated ATM", source: treez },
  { meaning: "compound", type: "debit", names: "point of banking, POB", source: "D: Flowhub, Point of Banking" },
  {
    meaning: "compound",
    type: "debit",
    names: "reverse ATM, bank card",
    source: "D: Flowhub, Point of Banking (a banking card); A: trade press (reverse ATM)",
  },
  {
    meaning: "compound",
    type: "debit",
    names: "banking card, check card, cheque card, checking card, ATM card",
    source: general,
  },
  {
    meaning: "compound",
    type: "debit",
    names: "cashless amt",
    source: "C: Blaze, splitPayment: the part by cashless ATM",
  },
  { meaning: "compound", type: "debit", names: "prepaid debit, prepaid debit card, EFTPOS, interac", source: general },
  { meaning: "word", type: "debit", names: "ATM, PIN", source: treez },

  {
    meaning: "compound",
    type: "ach",
    names: "CanPay",
    source: "D: Flourish, payment types; A: trade press: from the customer's bank account",
  },
  {
    meaning: "compound",
    type: "ach",
    names: "Hypur, Aeropay",
    source: "C: Blaze, reports; A: trade press: from the customer's bank account",
  },
  { meaning: "compound", type: "ach", names: "PayTender", source: "A: trade press: from a loaded account" },
  { meaning: "compound", type: "ach", names: "Dutchie Pay, pay by bank", source: "D: Dutchie, Pay by Bank" },
  {
    meaning: "compound",
    type: "ach",
    names: "Stronghold, Stronghold Pay",
    source: "D: Meadow, payment types; C: Blaze, reports; A: that it is a transfer",
  },
  { meaning: "compound", type: "ach", names: "bank account, bank transfer, bank payment", source: square },
  { meaning: "compound", type: "ach", names: "e check, electronic check", source: rebilly },
  {
    meaning: "compound",
    type: "ach",
    names: "ACH debit, ACH credit, ACH check, direct debit, bank debit, checking account, tele check",
    source: "D: Oracle Utilities, tender types (Direct debit - checking); A",
  },
  { meaning: "word", type: "ach", names: "ACH, EFT, checking", source: treez },

  { meaning: "compound", type: "check", names: "money order", source: shopify },
  {
    meaning: "compound",
    type: "check",
    names: "cashier check, traveler check, bank check, certified check",
    source: general,
  },
  { meaning: "word", type: "check", names: "check, cheque", source: `D: Dutchie, checkPaid; ${arts}; C: Blaze` },
  { meaning: "word", type: "check", names: "chk", source: general },

  { meaning: "compound", type: "wire", names: "wire transfer, fedwire", source: general },
  { meaning: "word", type: "wire", names: "wire", source: general },

  {
    meaning: "word",
    type: "credit",
    names: "credit, credit card, crédito",
    source: "D: Dutchie, creditPaid; D: Treez, Toast",
  },
  {
    meaning: "compound",
    type: "credit",
    names: "apple pay, google pay, gpay, samsung pay",
    source: "D: Square: such wallets make payments by card",
  },
  {
    meaning: "card",
    type: "credit",
    names: "card, third party card",
    source: square,
  },
  {
    meaning: "card",
    type: "credit",
    names: "visa, mastercard, amex, discover, diners, JCB, maestro",
    source: toast,
  },
  { meaning: "card", type: "credit", names: "MC, CC, tarjeta, american express, diners club", source: general },

  { meaning: "word", type: "multiple", names: "multiple, split, split payment", source: "C: Blaze, paymentOption" },
  { meaning: "word", type: "multiple", names: "mixed, multi tender, combination", source: general },

  {
    meaning: "vague",
    type: "other",
    names: "other, miscellaneous, misc",
    source: `D: Meadow, payment types; ${square}`,
  },
  { meaning: "vague", type: "other", names: "external, manual, custom", source: `${square}; ${shopify}; D: Flourish` },

  {
    meaning: "no means",
    type: "other",
    names: "non cash, not cash, no cash, cash free, cashless, zero cash",
    source: "D: Treez and Flowhub on cashless payments",
  },
  {
    meaning: "no means",
    type: "other",
    names: "cash back, cash discount, cash rounding, cash tip, cash advance, petty cash, cash equivalent, cash value",
    source: "D: Hyvä POS (cash rounding); C: Blaze, reports (cash back); A",
  },
  {
    meaning: "no means",
    type: "other",
    names:
      "cash gratuity, cash price, cash fee, cash reward, cash bonus, cash in, cash out, cash drop, paid in, paid out",
    source: "C: jagcolombat/posfront, PaymentMethodEnum (PAID_OUT); A",
  },
  {
    meaning: "no means",
    type: "other",
    names: "check in, check out, rain check, guest check, coat check, ID check, age check, point of sale",
    source: "D: Toast, Oracle Simphony (a check is a bill); A",
  },
  { meaning: "no means", type: "other", names: "no sale", source: square },
];

/** Names by which a POS says that it does not know the means. */
export const unsaidNames = {
  names: "unknown, undetermined, unspecified, not specified, not set, none, N/A, null, undefined, blank, empty",
  source: "D: Toast (UNDETERMINED); C: Blaze (None); A",
};

/** Words that may stand next to cash, because they only say where, how or in which currency it was paid. */
export const wordsNextToCash = {
  names: [
    "payment, pay, paid, tender, tendered, type, method, sale, transaction, refund, return, received, amount, amt, only",
    "drawer, register, till, box, tray, desk, counter, bar, station, lane, terminal, kiosk, POS, front, back, main",
    "store, in store, shop, in person, retail, medical, med, recreational, rec, adult use, delivery, pickup, curbside",
    "USD, US, dollar, CAD, canadian, in, by, with, at, the, number, en, con, pago, paiement",
  ].join(),
  source: "D: Treez (cash_drawer_name); A",
};
