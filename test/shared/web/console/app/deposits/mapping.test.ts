import { expect, test } from "vitest";
import {
  guessColumns,
  guessType,
  isAccountColumn,
  parsed,
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
  ["__proto__,constructor", {}],
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

test("codes with words of two types are not guessed", () => {
  expect(["CSHDEP", "ACHCR", "MRCH", "Check 21", "WIRE IN", "FEE", "CASH CHECK", ""].map(guessType)).toEqual([
    ...["cash", "ach", "card", "check", "wire"],
    ...[undefined, undefined, undefined],
  ]);
});

test("a meaning has one column at most", () => {
  const mapping = { columns: { A: "id", B: "amount" }, codes: {} } as const;
  expect(withMeaning(mapping, "C", "id").columns).toEqual({ B: "amount", C: "id" });
  expect(withMeaning(mapping, "B", "id").columns).toEqual({ B: "id" });
  expect(withMeaning(mapping, "A", undefined).columns).toEqual({ B: "amount" });
});

test.each([
  null,
  "",
  "{",
  "null",
  "5",
  '"x"',
  "[]",
  '{"columns":null,"codes":[1],"type":{}}',
  '{"columns":{"A":"acct"}}',
])("a kept mapping %s has no part that is used", (text) =>
  expect(parsed(text)).toEqual({ columns: {}, codes: {}, type: undefined }),
);

test("a kept mapping comes back", () => {
  const mapping = { columns: { A: "id" }, codes: { FEE: "skipped", C: "cash" }, type: "ach" };
  expect(parsed(JSON.stringify({ ...mapping, other: 1 }))).toEqual(mapping);
});
