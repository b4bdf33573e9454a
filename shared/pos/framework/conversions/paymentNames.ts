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

/** Names, separated by commas, and their source. Letter case, spaces, punctuation and a final `s` do not matter. */
type Names = readonly [names: string, source: string];

const square = "D: Square, TenderType and ExternalPaymentDetails";
const shopify = "D: Shopify, OrderTransactionType";
const toast = "D: Toast, Payment.type and cardType of the Orders API";
const arts = "D: ARTS Operational Data Model, TenderTypeCode";
const rebilly = "D: Rebilly, PaymentMethod";
const treez = "D: Treez, TreezPay types";
const general = "A: in general use";

const byMeaning: { readonly [Meaning in NameMeaning]: { readonly [Type in PosPayment["type"]]?: readonly Names[] } } = {
  word: {
    cash: [
      ["cash", "D: Flowhub, Treez, Meadow, Flourish, Square, Toast; C: Blaze"],
      ["cash payment", "D: Square, Take Cash Payments"],
      ["paid in cash, pay in cash, payment in cash, cash in store, cash in person, cash in hand", general],
      ["efectivo, espèces", "C: metodo_pago of public Spanish POS code; D: Dynamics 365 Commerce (Espèces)"],
      ["change, change due, change given", "C: POSaBIT, sales_tenders: the money given back"],
    ],
    debit: [
      ["debit, debit card, débito", "D: Flowhub, Meadow, Flourish; C: POSaBIT"],
      ["ATM, PIN", treez],
    ],
    ach: [["ACH, EFT, checking", treez]],
    check: [
      ["check, cheque", `D: Dutchie, checkPaid; ${arts}; C: Blaze`],
      ["chk", general],
    ],
    wire: [["wire", general]],
    credit: [["credit, crédito", "D: Dutchie, creditPaid; D: Treez, Toast"]],
    multiple: [
      ["multiple, split, split payment", "C: Blaze, paymentOption"],
      ["mixed, multi tender, combination", general],
    ],
  },
  compound: {
    other: [
      ["cash app, cash app pay, square cash, square cash app, wallet", square],
      ["apple cash, google wallet", general],
      ["gcash, e cash, m cash, cash u, shop cash, cash in store credit, cash pay, cash card, store cash", general],
      ["cash coupon, cash voucher", general],
      ["adv cash, cashlib, cash to code", rebilly],
      ["zelle, venmo, paypal, chime, social, spence, jane pay, kindtap", `${general}; ${square} (SOCIAL: such apps)`],
      ["cash on delivery, collect on delivery, COD", `${shopify}. The terms say where it is paid, not how`],
      ["bank deposit", `${shopify}. The terms say where it is paid, not how`],
      ["cash deposit", rebilly],
      ["EBT, EBT cash, EBT card, SNAP, WIC, food stamp", "C: jagcolombat/posfront, PaymentMethodEnum; D: ARTS"],
      ["crypto, crypto currency, bitcoin, ethereum, litecoin, USDC, stablecoin", `${square} (CRYPTO)`],
      ["klarna, afterpay, affirm, sezzle, zip pay, buy now pay later", `${square} (BUY_NOW_PAY_LATER); ${shopify}`],
      ["shopify installment", `${square} (BUY_NOW_PAY_LATER); ${shopify}`],
      ["gift, gift card, gift certificate, gift check, gift cash", `D: Dutchie, giftPaid; ${toast}`],
      ["loyalty, loyalty point, loyalty card, reward, reward card", `D: Flowhub, loyaltyPoints; ${toast}; ${arts}`],
      ["point, stored value, stored balance, levelup", `D: Flowhub, loyaltyPoints; ${toast}; ${arts}`],
      ["coupon, voucher, food voucher, promo, promo code, trade in", `${arts}; ${square}`],
      ["prepay, prepayment, prepaid, prepaid card, linx", "D: Dutchie, prePaymentAmount; D: Flourish, payment types"],
      ["store credit, store credit issued, account credit", `D: Flourish, Meadow; ${shopify}; C: Blaze`],
      ["credit account, customer credit, house credit, in house credit", `D: Flourish, Meadow; ${shopify}; C: Blaze`],
      ["debit memo, debit note, credit memo, credit note, credit line, line of credit, credit balance", general],
      ["credit union, site credit, employee credit, in store credit, shop credit", general],
      ["refund credit, return credit", general],
      ["referral credit, promo credit, promotional credit, loyalty credit, reward credit, vendor credit", general],
      ["house account, square account, account charge, charge account", `${toast}; ${square}; ${arts}`],
      ["customer account, cust acct, on account, cash on account", `${toast}; ${square}; ${arts}`],
    ],
    debit: [
      ["PIN debit, cashless ATM, integrated ATM", treez],
      ["point of banking, POB", "D: Flowhub, Point of Banking"],
      ["reverse ATM, bank card", "D: Flowhub, Point of Banking (a banking card); A: trade press (reverse ATM)"],
      ["banking card, check card, cheque card, checking card, ATM card", general],
      ["cashless amt", "C: Blaze, splitPayment: the part by cashless ATM"],
      ["prepaid debit, prepaid debit card, EFTPOS, interac", general],
    ],
    ach: [
      ["CanPay", "D: Flourish, payment types; A: trade press: from the customer's bank account"],
      ["Hypur, Aeropay", "C: Blaze, reports; A: trade press: from the customer's bank account"],
      ["PayTender", "A: trade press: from a loaded account"],
      ["Dutchie Pay, pay by bank", "D: Dutchie, Pay by Bank"],
      ["Stronghold, Stronghold Pay", "D: Meadow, payment types; C: Blaze, reports; A: that it is a transfer"],
      ["bank account, bank transfer, bank payment", square],
      ["e check, electronic check", rebilly],
      ["ACH debit, ACH credit, ACH check", "D: Oracle Utilities, tender types (Direct debit - checking); A"],
      ["direct debit, bank debit, checking account", "D: Oracle Utilities, tender types (Direct debit - checking); A"],
      ["tele check", "D: Oracle Utilities, tender types (Direct debit - checking); A"],
    ],
    check: [
      ["money order", shopify],
      ["cashier check, traveler check, bank check, certified check", general],
    ],
    wire: [["wire transfer, fedwire", general]],
    credit: [["apple pay, google pay, gpay, samsung pay", "D: Square: such wallets make payments by card"]],
  },
  card: {
    credit: [
      ["card, credit card, third party card", square],
      ["visa, mastercard, amex, discover, diners, JCB, maestro", toast],
      ["MC, CC, tarjeta, american express, diners club", general],
    ],
  },
  vague: {
    other: [
      ["other, miscellaneous, misc", `D: Meadow, payment types; ${square}`],
      ["external, manual, custom", `${square}; ${shopify}; D: Flourish`],
    ],
  },
  "no means": {
    other: [
      ["non cash, not cash, no cash, cash free, cashless, zero cash", "D: Treez and Flowhub on cashless payments"],
      ["cash back, cash discount, cash rounding", "D: Hyvä POS (cash rounding); C: Blaze, reports (cash back); A"],
      ["cash tip, cash advance, petty cash", "D: Hyvä POS (cash rounding); C: Blaze, reports (cash back); A"],
      ["cash equivalent, cash value", "D: Hyvä POS (cash rounding); C: Blaze, reports (cash back); A"],
      ["cash gratuity, cash price, cash fee, cash reward", "C: jagcolombat/posfront, PaymentMethodEnum (PAID_OUT); A"],
      ["cash bonus, cash in, cash out, cash drop, paid in", "C: jagcolombat/posfront, PaymentMethodEnum (PAID_OUT); A"],
      ["paid out", "C: jagcolombat/posfront, PaymentMethodEnum (PAID_OUT); A"],
      ["check in, check out, rain check, guest check, coat check", "D: Toast, Oracle Simphony (a check is a bill); A"],
      ["ID check, age check, point of sale", "D: Toast, Oracle Simphony (a check is a bill); A"],
      ["no sale", square],
    ],
  },
};

/** All names of the table, with their meaning and type. */
export const paymentNames = (Object.keys(byMeaning) as NameMeaning[]).flatMap((meaning) =>
  (Object.entries(byMeaning[meaning]) as [PosPayment["type"], readonly Names[]][]).flatMap(([type, entries]) =>
    entries.map(([names, source]) => ({ meaning, type, names, source })),
  ),
);

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
