import { expect, test } from "vitest";
import {
  guessColumns,
  guessType,
  isAccountColumn,
  matchBusinesses,
  withMeaning,
} from "../../../../../../shared/web/console/app/deposits/mapping.ts";

test.each<[string, object]>([
  [
    "POST_DT,TXN_AMT,TXN_CD,REF_NO,ACCT,MEMO",
    { POST_DT: "posted_date", TXN_AMT: "amount", TXN_CD: "type", REF_NO: "id" },
  ],
  [
    "Transaction ID,Date,Business Date,Amount,Type,Balance",
    { "Transaction ID": "id", Date: "posted_date", "Business Date": "business_date", Amount: "amount", Type: "type" },
  ],
  ["AcctNo,PostedOn,Amt,TraceNumber", { PostedOn: "posted_date", Amt: "amount", TraceNumber: "id" }],
  ["Account ID,Description", {}],
  ["Business Date,Customer Name,Ref", { "Business Date": "business_date", "Customer Name": "business", Ref: "id" }],
  ["__proto__,constructor", {}],
  // Balances, fees and debits are no deposits, and of two amounts the user has to choose one.
  ["Date,Ref,Balance Amount,Amount,Type", { Date: "posted_date", Ref: "id", Amount: "amount", Type: "type" }],
  ["Date,Fee Amount,Amount", { Date: "posted_date", Amount: "amount" }],
  ["Date,Debit Amount,Credit Amount", { Date: "posted_date" }],
  ["Date,Withdrawal Amt,Deposit Amt,Balance Amt", { Date: "posted_date" }],
  ["Date,Debit Amount", { Date: "posted_date" }],
  ["Date,Amount,Amount Currency", { Date: "posted_date", Amount: "amount" }],
  [
    "Date,Amount (net of fees),Amount Type",
    { Date: "posted_date", "Amount (net of fees)": "amount", "Amount Type": "type" },
  ],
  ["Date,TRNAMT,BALAMT", { Date: "posted_date", TRNAMT: "amount" }],
  ["Date,Total,Variance Amt", { Date: "posted_date" }],
  ["Date,Deposit Amount", { Date: "posted_date", "Deposit Amount": "amount" }],
])("the columns %s are guessed", (columns, expected) => expect(guessColumns(columns.split(","))).toEqual(expected));

test.each([
  "ACCT",
  "Account Number",
  "AcctNo",
  "acct_nbr",
  "Card Number",
  "IBAN",
  "Routing #",
  "SSN",
  "Tax ID",
  "ACCOUNT",
])("%s has account numbers", (column) => expect(isAccountColumn(column)).toBe(true));

test.each(["REF_NO", "Account Transaction Id", "Acct Posting Ref", "Discard", "Company", "Accepted"])(
  "%s has no account numbers",
  (column) => expect(isAccountColumn(column)).toBe(false),
);

test.each([
  "Return Indicator",
  "Currency Ind",
  "Ind Name",
  "Washington DC",
  "DC Location",
  "Credit/Debit Card",
  "Sign-off",
  "Sign in date",
  "Signature",
  "Design",
  "Checked in",
  "Credit Deposit",
])("the amount is guessed if the column %s has something else than its sign", (column) =>
  expect(guessColumns(["Date", "Amount", column]).Amount).toBe("amount"),
);

test.each([
  ...["Dr/Cr", "Debit/Credit", "CR/DR", "CrDr Ind", "DebitCreditIndicator", "Sign", "D/C", "Debit or Credit", "+/-"],
  ...["Direction", "C/D", "Amount Sign", "DC Flag", "Debit / Credit Flag", "Credit or Debit"],
  ...["Deposit/Withdrawal", "Withdrawals and Deposits", "Money In/Out", "Debits & Credits", "CR_DR"],
  ...["DB/CR", "DbCr", "CdtDbtInd", "D or C", "+ or -", "Sign (+/-)", "+/− sign", "Trans Sign", "Txn Direction"],
  ...["Debit vs Credit", "Paid In/Paid Out", "Payments/Receipts", "Inflow / Outflow"],
  ...["-/+", "Plus/Minus", "Debit to Credit", "Increase/Decrease"],
])("no amount is guessed if the column %s has its sign", (column) =>
  expect(Object.values(guessColumns(["Date", "Amount", column]))).not.toContain("amount"),
);

test("codes with words of two types are not guessed", () => {
  expect(["CSHDEP", "ACHCR", "MRCH", "Check 21", "WIRE IN", "FEE", "CASH CHECK", ""].map(guessType)).toEqual([
    ...["cash", "ach", "card", "check", "wire"],
    ...[undefined, undefined, undefined],
  ]);
});

test.each([
  ["Cash deposit", "cash"],
  ["Vault deposit", "cash"],
  ["CASH-DEP", "cash"],
  ["Cash – Deposit", "cash"],
  ["Cash [Deposit]", "cash"],
  ["Check deposit", "check"],
  ["ACH credit", "ach"],
  ["Incoming wire", "wire"],
  ["POS", "card"],
])("%s is the type %s", (code, type) => expect(guessType(code)).toBe(type));

test.each([
  ...[
    "Cash App",
    "CashApp transfer",
    "Non-cash",
    "Cash withdrawal",
    "Cash advance",
    "Cash back",
    "Petty cash",
    "Uncashed",
  ],
  ...[
    "Deposit",
    "Night deposit",
    "Mobile deposit",
    "Position fee",
    "Cashier's check",
    "Wire fee",
    "Bargeld cash",
    "≠ Cash",
    "[ ] cash",
    "Cash✗",
    "DEP",
  ],
])("%s is not guessed, since a word is unknown or none has a type", (code) => expect(guessType(code)).toBeUndefined());

test("a meaning has one column at most", () => {
  const mapping = { columns: { A: "id", B: "amount" }, codes: {}, businesses: {} } as const;
  expect(withMeaning(mapping, "C", "id").columns).toEqual({ B: "amount", C: "id" });
  expect(withMeaning(mapping, "B", "id").columns).toEqual({ B: "id" });
  expect(withMeaning(mapping, "A", undefined).columns).toEqual({ B: "amount" });
});

test("a value has the chosen business, or the only one with its name or dba in any letter case", () => {
  const businesses = [
    { crb_id: "crb-1", name: "High Country Remedies", dba: "High Country" },
    { crb_id: "crb-2", name: "Lakeshore", dba: "LAKESHORE" },
    { crb_id: "crb-3", name: "Twice", dba: null },
    { crb_id: "crb-4", name: "Other", dba: "twice" },
  ];
  const chosen = { HCR: "crb-1", Other: "", "High Country": "crb-2", Lakeshore: "crb-of-another-time" };
  const values = ["HCR", "Other", "High Country", "Lakeshore", "HIGH  COUNTRY remedies ", "Twice", "constructor", ""];
  expect([...matchBusinesses(values, chosen, businesses).values()]).toEqual([
    ...["crb-1", "", "crb-2", "crb-2", "crb-1", "", "", ""],
  ]);
});
