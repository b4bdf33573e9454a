import { escapeHtml } from "../../text/escapeHtml.ts";
import type { StatementContent } from "./statementContent.ts";
import { dollars } from "./statementCsv.ts";
import { type Cell, type StatementTable, statementTables } from "./statementTables.ts";

/** Rows of a table on the page. Longer tables are whole in `statement.json`. */
const maxRows = 2_000;

/** Columns that are too wide for paper: they are in `statement.json`. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  licenses: ["license_id"],
  days: [
    "adjustments",
    "subtotal_usd",
    "total_discounts_usd",
    "fees_usd",
    "unknown_amounts",
    "mismatched",
    "completed_date",
    "svc_updated_date",
  ],
  "reconciliation-days": ["card_sales_usd", "card_settled_usd", "complete", "revision"],
  "state-days": ["system", "data_as_of", "digest"],
  insights: ["criterion", "withdrawn_date", "id"],
  decisions: ["decided_by", "insight_id"],
};

/** Columns whose cells are codes of the API, which the page shows in words. */
const codeColumns = [
  "status",
  "status_at_start",
  "status_at_end",
  "code",
  "finding",
  "type",
  "excluded_reason",
  "basis",
];

/** The words of codes that say too little alone. */
const codeWords: Readonly<Record<string, string>> = {
  red_flag: "breaks a rule",
  svc_checked: "checked, nothing found",
  unchecked: "not fully checked",
};

const inWords = (code: string): string => codeWords[code] ?? code.replaceAll("_", " ");

/** The sections of the page, by the names of their tables. */
const sections: readonly (readonly [title: string, tables: readonly string[]])[] = [
  ["Business, licenses and sources", ["licenses", "consents", "sources"]],
  ["Totals", ["payments", "customer-types"]],
  ["Days", ["days"]],
  ["Sales against rules", ["compliance", "checks", "flagged-sales"]],
  ["Deposits and balance", ["deposit-sums", "cash-counts", "reconciliation-days", "deposits"]],
  ["Totals of the state's system", ["state-days"]],
  ["Insights and decisions", ["insights", "decisions"]],
  ["Who read the data", ["readers"]],
  ["Differences from the earlier statement", ["differences"]],
];

/**
 * The page of a statement, to read and to print. It has no script and loads nothing.
 *
 * @param statement its id, and the SHA-256 of its `statement.json`
 */
export function statementHtml(content: StatementContent, statement: { id: string; sha256: string }): string {
  const { crb, start_date, end_date, as_of } = content;
  const tables = new Map(statementTables(content).map((each) => [each.name, each]));
  const title = `Statement of ${crb.name}, ${longDay(start_date)} to ${longDay(end_date)}`;
  const shown = sections.filter(([, names]) => names.some((name) => tables.has(name)));
  const body = shown.map(([heading, names], i) => {
    const parts = names.flatMap((name) => tables.get(name) ?? []).map((each) => tableHtml(each));
    return `<section><h2>${i + 1}. ${escapeHtml(heading)}</h2>${introduction(heading, content)}${parts.join("")}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<p class="small">Statement of a period</p>
<h1>${escapeHtml(crb.name)}</h1>
<p class="lead">${longDay(start_date)} to ${longDay(end_date)}, days in the time zone ${escapeHtml(crb.timezone)}</p>
${pairs([
  ["Business", [crb.name, crb.dba && `(${crb.dba})`, `CRB ${crb.id}`].filter(Boolean).join(" ")],
  [
    "Address",
    [crb.street_address, crb.street_address_2, crb.city, crb.state, crb.postal_code].filter(Boolean).join(", "),
  ],
  ["EIN", crb.ein ?? "not known"],
  ["As of", instant(as_of)],
  ["Statement", statement.id],
  ["SHA-256 of statement.json", statement.sha256],
  ["Rules version", content.rules_version ?? "not checked yet"],
])}
${incompleteNotice(content)}
<div class="notice"><p>This statement repeats what the point of sale reported and what the bank entered. It does not judge whether the
business keeps the law. It never changes: a later correction gives a new statement.</p>
<ul>${content.remarks.map((remark) => `<li>${escapeHtml(remark)}</li>`).join("")}</ul></div>
${body.join("\n")}
</main>
</body>
</html>
`;
}

function incompleteNotice({ incomplete_days: days, start_date, end_date }: StatementContent): string {
  const all = (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000 + 1;
  if (days.length === 0) return `<div class="notice"><h2>All ${all} days are complete</h2></div>`;
  const heading = `${days.length} of ${all} days ${days.length === 1 ? "is" : "are"} not complete`;
  return `<div class="notice look"><h2>${heading}</h2><p>Their figures may be lower than the true ones, or missing: ${days.map(longDay).join("; ")}.</p></div>`;
}

const wholesale = ({ invoiced, open_balance }: StatementContent["totals"]): [string, string][] => [
  ["Invoiced", money(invoiced)],
  ["Of it not paid yet", money(open_balance)],
];

/** A line about a number of records, if there are any. */
const found = (what: string, number: number): [string, string][] => (number > 0 ? [[what, grouped(number)]] : []);

/** The sentences and single figures of a section. */
function introduction(heading: string, { totals, deposits, access, comparison }: StatementContent): string {
  if (heading === "Totals") {
    return pairs([
      ["Paid, returns subtracted", money(totals.total_paid)],
      ["Gross sales", money(totals.gross_sales)],
      ["Tax", money(totals.tax_paid)],
      ["Sales, returns, adjustments", [totals.sales, totals.returns, totals.adjustments].map(grouped).join(", ")],
      ...(totals.invoiced === 0 ? [] : wholesale(totals)),
      ...found("Sales that lack an amount, so that sums are lower bounds", totals.unknown_amounts),
      ...found("Sales whose parts do not add up", totals.mismatched),
    ]);
  }
  if (heading === "Days") {
    return "<p>US dollars. “Revision” counts changes after the day was complete. The digest proves the records: equal digests mean equal records.</p>";
  }
  if (heading === "Sales against rules") {
    return "<p>Each sale counts once by its gravest result, and once for each rule that it breaks. “unchecked” means that information was missing, or that there is no rule.</p>";
  }
  if (heading === "Deposits and balance") {
    const { balance } = deposits;
    if (!balance) return "<p>No cash count starts a balance.</p>";
    const range = `${money(balance.balance_low ?? 0)} to ${money(balance.balance_high ?? 0)}`;
    return pairs([
      [`Balance on ${longDay(balance.date)}`, range],
      ["Counted on", balance.counted ? longDay(balance.counted) : "not counted"],
    ]);
  }
  if (heading === "Totals of the state's system") {
    return "<p>What the state recorded for each connected license. The variance compares the sum of all licenses with the figure of the point of sale that is nearer: one system may count taxes, and the other may not.</p>";
  }
  if (heading === "Who read the data") {
    const reason =
      access.not_included ??
      (access.unreadable > 0 ? `${access.unreadable} parts of the log could not be read or delivered.` : "");
    return `<p>Permitted requests from ${instant(access.from)} until before ${instant(access.to)}. ${escapeHtml(reason)}</p>`;
  }
  if (comparison && heading.startsWith("Differences")) {
    return `<p>Compared with statement ${escapeHtml(comparison.statement_id)}, as of ${instant(comparison.as_of)}. Amounts are in cents.</p>`;
  }
  return "";
}

function tableHtml({ name, title, columns, rows }: StatementTable): string {
  if (rows.length === 0) return `<h3>${escapeHtml(title)}</h3><p>None.</p>`;
  const places = columns.flatMap((column, i) => (leftOut[name]?.includes(column.name) ? [] : [{ ...column, i }]));
  const head = places.map(
    ({ title: text, type }) => `<th scope="col"${classOf(type === "code" ? "text" : type)}>${escapeHtml(text)}</th>`,
  );
  const lines = rows.slice(0, maxRows).map((row) => {
    const cells = places.map(({ name: column, type, i }) => {
      const cell = row[i] ?? null;
      const shown = typeof cell === "string" && codeColumns.includes(column) ? inWords(cell) : cell;
      return `<td${classOf(type)}>${cellHtml(shown, type)}</td>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const more = rows.length > maxRows ? `<p>${grouped(rows.length - maxRows)} more rows are in statement.json.</p>` : "";
  const label = escapeHtml(title);
  // A wide table scrolls on a narrow screen, also by keyboard.
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table><caption>${label}</caption><thead><tr>${head.join("")}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>${more}`;
}

/** Numbers are on the right, and days on one line. */
function classOf(type: string): string {
  if (["cents", "count", "percent"].includes(type)) return ' class="n"';
  return type === "code" ? ' class="code"' : type === "day" ? ' class="d"' : "";
}

function cellHtml(cell: Cell, type: string): string {
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "number") {
    if (type === "cents") return money(cell);
    if (type === "text") return String(cell);
    return type === "percent" ? `${cell.toFixed(2)}%` : grouped(cell);
  }
  if (type === "day") return longDay(cell);
  return type === "instant" ? instant(cell) : escapeHtml(cell);
}

const pairs = (all: readonly (readonly [string, string])[]): string =>
  `<dl>${all.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join("")}</dl>`;

/** `Sun, Mar 1, 2026`. A day is no instant, so the time zone of the machine plays no part. */
const longDay = (day: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00.000Z`));

/** An instant in UTC, as in the content. */
const instant = (text: string): string => `${text.slice(0, 19).replace("T", " ")} UTC`;

const grouped = (number: number): string => number.toLocaleString("en-US");

function money(cents: number): string {
  const [whole = "", decimals] = dollars(Math.abs(cents)).split(".");
  return `${cents < 0 ? "−" : ""}${Number(whole).toLocaleString("en-US")}.${decimals}`;
}

const styles = `
:root{color-scheme:light}
body{margin:0;background:#fff;color:#1a1a1a;font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.7rem;margin:.2rem 0}
h2{font-size:1.15rem;margin:1.6rem 0 .5rem}
h3{font-size:1rem;margin:1rem 0 .2rem}
.lead{font-size:1.05rem;margin:0 0 1rem}
.small{color:#555;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.6rem 0}
dt{color:#555}
dd{margin:0}
dd,td,h1,.lead{overflow-wrap:anywhere}
td:not(.n,.d,.code){min-width:5.5em}
.notice{border:1px solid #999;border-left-width:5px;padding:.2rem .9rem;margin:1rem 0}
.notice h2{margin:.5rem 0;font-size:1.05rem}
.look{border-color:#8a5300;background:#fff8eb}
table{border-collapse:collapse;width:100%;margin:.8rem 0;font-size:.82rem}
caption{text-align:left;font-weight:600;padding:.3rem 0;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.22rem .4rem;border-bottom:1px solid #ccc}
th{border-bottom:1px solid #555}
.d{white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.code{font-family:ui-monospace,SFMono-Regular,Consolas,monospace;font-size:.72rem;overflow-wrap:anywhere;word-break:break-all}
.wide{overflow-x:auto}
@page{size:letter;margin:14mm 12mm 16mm;@bottom-right{content:"Page " counter(page) " of " counter(pages);font-size:8pt}}
@media print{body{font-size:9.5pt}main{max-width:none;padding:0}table{font-size:7.6pt}.code{font-size:6.4pt}.wide{overflow:visible}thead{display:table-header-group}tr,.notice,dl{break-inside:avoid}h2,h3,caption{break-after:avoid}}
`;
