import { expect, test } from "vitest";
import { csvCell } from "../../../../../../shared/text/csvCell.ts";
import { checkRows } from "../../../../../../shared/web/console/app/deposits/checkRows.ts";
import type { Mapping } from "../../../../../../shared/web/console/app/deposits/mapping.ts";
import { guessColumns } from "../../../../../../shared/web/console/app/deposits/mapping.ts";
import { readCsv } from "../../../../../../shared/web/console/app/deposits/readCsv.ts";

const now = Date.parse("2026-11-27T15:00Z");
const header = "POST_DT,TXN_AMT,TXN_CD,REF_NO,ACCT,MEMO";

function check(lines: readonly string[], changes: Partial<Mapping> = {}, matches?: ReadonlyMap<string, string>) {
  const file = readCsv([header, ...lines].join("\n"));
  if ("problem" in file) return expect.fail(file.problem);
  return checkRows(file, { columns: guessColumns(file.columns), codes: {}, businesses: {}, ...changes }, now, matches);
}

test("only the mapped columns become deposits: no account number, no free text", () => {
  const [row] = check(['11/26/2026,"3,115.00",CSHDEP,D-1,00012344417,of Jane Roe']);
  expect(row?.deposit).toEqual({ id: "D-1", posted_date: "2026-11-26", amount: 311_500, type: "cash" });
  expect(JSON.stringify(row)).not.toMatch(/4417|Jane/);
});

test("a business day is sent if the row has one", () => {
  const columns = { POST_DT: "posted_date", TXN_AMT: "amount", REF_NO: "id", MEMO: "business_date" } as const;
  const rows = check(["11/26/2026,5,,D-1,,11/25/2026", "11/26/2026,5,,D-2,,", "11/26/2026,5,,D-3,,soon"], {
    columns,
    type: "ach",
  });
  expect(rows.map(({ deposit, problem }) => problem ?? deposit?.business_date)).toEqual([
    "2026-11-25",
    undefined,
    "Business day: This is no date such as 2026-11-26 or 11/26/2026.",
  ]);
});

test("cells that the console has written into a file are read as they were", () => {
  const cells = ["11/26/2026", "-5.00", "+CASH", "=D-1"];
  const [row] = check([cells.map(csvCell).join(",")], { codes: { "+CASH": "cash" } });
  expect(row?.deposit).toEqual({ id: "=D-1", posted_date: "2026-11-26", amount: -500, type: "cash" });
});

test("codes have the chosen type, or that of their usual words, or are left out", () => {
  const rows = check(["11/26/2026,5,CSHDEP,D-1", "11/26/2026,5,FEE,D-2", "11/26/2026,5,X1,D-3", "11/26/2026,5,Q,D-4"], {
    codes: { FEE: "skipped", X1: "wire" },
  });
  expect(rows.map(({ deposit, problem }) => problem ?? deposit?.type)).toEqual([
    "cash",
    undefined,
    "wire",
    "Choose what the code Q means.",
  ]);
});

test.each<[string, RegExp]>([
  ["11/31/2026,5,CASH,D-1", /no day 31/],
  ["11/26/2026,5.001,CASH,D-1", /no number of dollars/],
  ["11/26/2026,0.00,CASH,D-1", /amount is 0/],
  ["11/26/2026,5,CASH,", /id is missing/],
  ["11/26/2026,5,CASH,D 1", /without spaces/],
  ["11/26/2026,5,CASH,..", /id must be/],
  [`11/26/2026,5,CASH,${"D".repeat(65)}`, /id must be/],
  ["11/26/2026,5,CASH,Ð", /id must be/],
  ["11/26/2026,5,constructor,D-1", /Choose what the code constructor means/],
  ["11/26/2026,5,toString,D-1", /Choose what/],
  ["11/26/2026,3,115.00,CASH,D-1,x,y", /more cells/],
  ["11/26/2026", /id is missing/],
])("the row %s is not sent", (line, problem) => {
  expect(check([line])).toEqual([expect.objectContaining({ number: 2, problem: expect.stringMatching(problem) })]);
});

test("the second row with an id is not sent, even if the first is equal", () => {
  const rows = check(["11/26/2026,5,CASH,D-1", "11/26/2026,5,CASH,D-1", "11/25/2026,6,CASH,D-2"]);
  expect(rows.map(({ problem }) => problem)).toEqual([
    undefined,
    expect.stringMatching(/^Row 2 has the same id/),
    undefined,
  ]);
});

test("rows of several businesses are left out without one, and an id is unique within its business", () => {
  const columns = { ...guessColumns(header.split(",")), MEMO: "business" } as const;
  const lines = [
    "5,CASH,D-1,,One",
    "5,CASH,D-1,,Two",
    "5,CASH,D-1,,Uno",
    "soon,CASH,D-2,,Other",
    "5,CASH,D-3,,Other,x",
  ];
  const matches = new Map(Object.entries({ One: "crb-1", Uno: "crb-1", Two: "crb-2", Other: "" }));
  const rows = check(
    lines.map((line) => `11/26/2026,${line}`),
    { columns },
    matches,
  );
  expect(rows.map(({ deposit, problem }) => problem ?? deposit?.id)).toEqual([
    ...["D-1", "D-1", "Row 2 has the same id. Each posting needs its own.", undefined],
    expect.stringMatching(/more cells/),
  ]);
});
