import { csvCell } from "../../text/csvCell.ts";
import type { StatementContent } from "./statementContent.ts";
import { type Cell, type StatementTable, statementTables } from "./statementTables.ts";

/** Excel takes a file for Windows-1252 without it, and shows wrong letters in names. */
const byteOrderMark = "\ufeff";

/** The CSV files of a statement (RFC 4180, UTF-8 with a byte order mark), each with one table. */
export function statementCsv(content: StatementContent): { name: string; text: string }[] {
  const { crb, start_date, end_date, as_of, rules_version, incomplete_days, remarks, access } = content;
  const about: [string, Cell][] = [
    ["crb_id", crb.id],
    ["name", crb.name],
    ["dba", crb.dba],
    ["timezone", crb.timezone],
    ["start_date", start_date],
    ["end_date", end_date],
    ["as_of", as_of],
    ["rules_version", rules_version],
    ...incomplete_days.map((day) => ["incomplete_day", day] as [string, Cell]),
    ...remarks.map((remark) => ["remark", remark] as [string, Cell]),
    ["readers_from", access.from],
    ["readers_to", access.to],
    ["readers_not_included", access.not_included],
    ["readers_unreadable", access.unreadable],
  ];
  const first: StatementTable = {
    name: "about",
    title: "",
    columns: [
      { name: "name", title: "", type: "text" },
      { name: "value", title: "", type: "text" },
    ],
    rows: about,
  };
  return [first, ...statementTables(content)].map((each) => ({ name: `${each.name}.csv`, text: csvOf(each) }));
}

function csvOf({ columns, rows }: StatementTable): string {
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) =>
      row.map((cell, i) => (columns[i]?.type === "cents" && typeof cell === "number" ? dollars(cell) : csvCell(cell))),
    ),
  ];
  return byteOrderMark + lines.map((line) => `${line.join(",")}\r\n`).join("");
}

/** Cents as dollars with two decimals, computed without fractions. */
export function dollars(cents: number): string {
  const whole = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${whole.slice(0, -2)}.${whole.slice(-2)}`;
}
