import { describe, expect, test } from "vitest";
import { paymentTypes } from "../../../../../shared/api/enumerations.ts";
import { paymentNames } from "../../../../../shared/pos/framework/conversions/paymentNames.ts";
import {
  knownMeans,
  namedPayment,
  type PaymentType,
  paymentType,
} from "../../../../../shared/pos/framework/conversions/paymentType.ts";

/** Names by kind, separated by `|`, and the type of all of them. */
const kinds: [kind: string, names: string, type: PaymentType][] = [
  ["cash", "CASH|cash|Cash Payment|PAID CASH|cashPaid|cashAmt|Cash Tendered|ＣＡＳＨ", "cash"],
  [
    "cash at a place",
    "Cash Drawer 2|CASH-1|Bar cash|Front Register Cash|Till 3: Cash|Cash (Kiosk)|Curbside Cash",
    "cash",
  ],
  ["cash in a currency", "Cash (USD)|USD Cash|Cash $|Canadian cash|Cash US Dollars", "cash"],
  ["cash in a lettered drawer", "Cash (Drawer A)|Cash Drawer B|Register #C - Cash|Till D Cash", "cash"],
  ["cash in a phrase", "Paid in cash|Pay with Cash|Paid with cash|Cash In Store|Cash (in person)|💵 Cash", "cash"],
  ["cash in other languages", "Efectivo|EFECTIVO (USD)|Pago en efectivo|Espèces|paiement en espèces", "cash"],
  [
    "cash and a symbol or a word of another script",
    "Cash карта|不 cash|Cash 카드|🚫 Cash|Cash ❌|Cash 💳|Cash®|Cash?|Саsh",
    "other",
  ],
  ["cash and a plus or a letter of a brand", "Cash+|Cash Plus|CashPlus|CashU|Cash-U|Cash4U|Shop Cash", "other"],
  ["cash that a customer gets back", "Change|Cash Change|changeDue|Cash Refund|Refund - Cash", "cash"],
  [
    "negations",
    "Non-Cash|NonCash|NONCASH|Not Cash|No Cash|Cashless|CASH FREE|cash-free|Not a check|Non-Debit|No Card",
    "other",
  ],
  [
    "cash and a sign that denies it",
    "!Cash|!= Cash|×Cash|⊘ Cash|[ ] Cash|≠ Cash|¬Cash|~Cash|<>Cash|C̶a̶s̶h̶|Cash\u20e0",
    "other",
  ],
  ["cash without another means", "Cash, no debit|Cash / Not a check|Cash w/o Debit|Cash without card|Cash!", "cash"],
  ["cash and a name without a means", "Cash + Cash Back|Cash, no cash|Cash / Non-Cash", "other"],
  ["debit and a means that it is not", "Debit, no cash|Non-Cash/Debit|Debit + Cash Back|No cash, debit only", "debit"],
  ["denials of several means", "No cash, no check|Not cash / Not card|Debit Memo|Debit Note", "other"],
  [
    "brands with cash",
    "Cash App|CashApp|CASHAPP|$CashApp|Cash App Pay|SQUARE_CASH|Apple Cash|GCash|E-Cash|CashPay|AdvCash|CASHlib",
    "other",
  ],
  [
    "compounds with cash",
    "Cash Back|CASHBACK|Cash Discount|Cash Rounding|Cash Tip|Cash Advance|Cash Equivalent|Petty cash",
    "other",
  ],
  ["cash that is no sale", "Cash Out|Cash Drop|Cash Deposit|Cash Fee|Cash Bonus|Cash Price|Paid Out", "other"],
  [
    "terms of payment",
    "Cash on Delivery|CashOnDelivery|Cash in Store Credit|COD|Cash on Account|On Account|House Account|Bank Deposit",
    "other",
  ],
  [
    "cash and an unknown word",
    "Cash Zorp|Zorp Cash|Cash (Denver)|Cash & Carry|Cash + Zorp|Cash Envelope|C Cash|Cashier",
    "other",
  ],
  [
    "cash and another means",
    "Cash + Debit|Cash/Check|Split cash/debit|Cash & Card|CASH_OR_CHECK|Cash and Gift Card|Debit or Cash",
    "multiple",
  ],
  [
    "other mixtures",
    "Wire/ACH|Check, ACH|Split|SPLIT_PAYMENT|Multiple|Multi-Tender|Mixed|CanPay + Cash App",
    "multiple",
  ],
  [
    "debit",
    "Debit|DEBIT CARD|PIN debit|Cashless ATM|CashlessATM|Point of Banking|Point of Banking (POB)|POB|Débito",
    "debit",
  ],
  [
    "cards of a bank",
    "Bank Card|BankCard|Check Card|Cheque Card|ATM Card|Checking Card|Visa Debit|Debit Mastercard",
    "debit",
  ],
  [
    "debit with other words",
    "POSaBIT Debit|Non-Integrated Debit|Debit w/ Cash Back|Cashless Debit|Point of Sale Debit|Prepaid Debit",
    "debit",
  ],
  [
    "credit",
    "Credit|Credit Card|CREDIT_CARD|creditPaid|Credit (Terminal 2)|Zorp Credit Card|Tarjeta de crédito",
    "credit",
  ],
  [
    "credit that may be a stored value",
    "Member Credit|MemberCredit|Credit Zorp|Club-Credit|In-Store Credit|Refund Credit|Return Credit|Shop Credit",
    "other",
  ],
  ["an unclear means and another one", "Cash Zorp / Debit|Debit + Member Credit|Cash Envelope & Check", "other"],
  [
    "cards of an unsaid kind",
    "Card|VISA|Amex|Third Party Card|Credit/Debit|Debit or Credit Card|creditDebitAmt|Apple Pay|GPay",
    "credit",
  ],
  [
    "cards that are no bank cards",
    "Cash Card|ACH Card|Wire Card|Gift Card|GiftCard|Visa Gift Card|EBT Card|Loyalty Card|Reward Card",
    "other",
  ],
  [
    "transfers",
    "ACH|CanPay|Can Pay|Aeropay|HYPUR|Dutchie Pay|DutchiePay|Stronghold|Pay by Bank|PayByBank|Bank Transfer|EFT",
    "ach",
  ],
  [
    "electronic checks",
    "e-check|eCheck|ECheck|E-CHECK|Electronic Check|ACH/eCheck|Checking account|Direct Debit",
    "ach",
  ],
  ["checks", "Check|Cheques|Check #123|CHK|Check No 5|Cashier's Check|Travelers Checks|Money Order", "check"],
  ["no checks", "Check-in|Check In|CHECKOUT|Rain check|Guest Check|ID Check|Gift Check", "other"],
  ["wires", "Wire|Wire Transfer|FEDWIRE", "wire"],
  [
    "stored values",
    "Store Credit|storeCreditAmt|Account Credit|Loyalty Points|Prepay|prePaymentAmount|Coupon|Stored Value|Credit Memo",
    "other",
  ],
  ["benefits", "EBT|EBT Cash|SNAP|EBT_CASH", "other"],
  ["other apps and currencies", "Zelle|Venmo|PayPal|Spence|Jane Pay|Crypto|Bitcoin|Bitcoin ATM|Klarna", "other"],
  ["names without a means", "Bank|Wireless|Manual|Other|Barter|1|#2|現金|💵|constructor|__proto__", "other"],
  ["names that say nothing", "Unknown|UNDETERMINED|N/A|none|-|...|  ", "unknown"],
];

describe.each(kinds)("names of the kind: %s", (_, names, type) => {
  test.each(names.split("|"))(`%s is read as ${type}`, (name) => {
    expect(paymentType(name)).toBe(type);
  });
});

test.each<[(string | null)[], PaymentType]>([
  [["cash", null], "cash"],
  [["cash", "cash"], "cash"],
  // The category decides if the name says nothing for certain.
  [["Green Envelope", "cash"], "cash"],
  [["Cash Envelope", "cash"], "cash"],
  [["Cash Envelope", "debit"], "debit"],
  [["Blue", "debit"], "debit"],
  [["CanPay", "other"], "ach"],
  [["debit", "CanPay"], "ach"],
  [["Visa", "other"], "credit"],
  [["Non-Cash", "debit"], "debit"],
  // A contradiction is not certainly cash.
  [["Cash", "debit"], "other"],
  [["Cash", "other"], "other"],
  [["Cash App", "cash"], "other"],
  [["Cash Back", "cash"], "other"],
  [["Split", "cash"], "multiple"],
  [["", null], "unknown"],
  [["N/A", "Check"], "check"],
  [[], "unknown"],
  // So are no other names of equal rank, but two kinds of a card are a card.
  [["Check", "debit"], "other"],
  [["Wire", "ACH"], "other"],
  [["Venmo", "CanPay"], "other"],
  [["Split", "Gift Card"], "other"],
  [["Visa", "debit"], "credit"],
  [["Credit", "debit"], "credit"],
  // The category decides about credit, too.
  [["Member Credit", "credit"], "credit"],
  [["Member Credit", "debit"], "debit"],
])("the names %j are read as %s in both orders", (texts, expected) => {
  expect(paymentType(...texts)).toBe(expected);
  expect(paymentType(...texts.toReversed())).toBe(expected);
});

test.each([
  ["CHK-1042", "CHK-1042"],
  ["cash", "cash"],
  ["Cash App 8841", null],
  ["Check 1042 Farm", null],
  ["Discover Farms PO 12", null],
  ["ACH 20260310", "ACH 20260310"],
  ["tok_4242424242", null],
  ["1042", null],
  ["", null],
  [null, null],
])("the reference %j names the means %j", (reference, expected) => {
  expect(knownMeans(reference)).toBe(expected);
});

test("each type of the API is its own name", () => {
  expect(paymentTypes.map((type) => paymentType(type))).toEqual(paymentTypes);
});

test("a long hostile name is read in linear time", () => {
  expect(paymentType("cash ".repeat(200))).toBe("cash");
  expect(paymentType("no ".repeat(333))).toBe("other");
});

test("a payment keeps the names of its POS", () => {
  expect(namedPayment(500, " Green ", "debit")).toEqual({ type: "debit", amount_paid: 500, pos_name: "Green / debit" });
  expect(namedPayment(500, "cash", "cash")).toEqual({ type: "cash", amount_paid: 500, pos_name: "cash" });
  expect(namedPayment(500, "", null)).toEqual({ type: "unknown", amount_paid: 500 });
});

test("each name in the table has one meaning, and a marked source", () => {
  const names = paymentNames.flatMap(({ names }) => names.split(",").map((name) => name.trim().toLowerCase()));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  for (const { source } of paymentNames) expect(source).toMatch(/^[DCA]: \S/);
});
