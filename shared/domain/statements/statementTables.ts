import type { StatementContent } from "./statementContent.ts";

/** What a cell holds. Cents, counts and percents are numbers. */
type CellType = "text" | "code" | "cents" | "count" | "percent" | "day" | "instant" | "flag";

interface Column<Row> {
  /** The name in CSV. */
  name: string;
  /** The heading on the page. */
  title: string;
  type: CellType;
  value: (row: Row) => Cell;
}

export type Cell = string | number | boolean | null;

/** A table of a statement, for CSV and for the page. */
export interface StatementTable {
  /** The name of its CSV file, without `.csv`. */
  name: string;
  title: string;
  columns: readonly Omit<Column<never>, "value">[];
  rows: readonly (readonly Cell[])[];
}

function table<Row>(
  name: string,
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): StatementTable {
  return { name, title, columns, rows: rows.map((row) => columns.map(({ value }) => value(row))) };
}

/** Columns whose names are those of fields. */
function fields<Row, Name extends keyof Row & string>(
  type: CellType,
  titles: Readonly<Record<Name, string>>,
): Column<Row>[] {
  return (Object.entries(titles) as [Name, string][]).map(([name, title]) => ({
    name: type === "cents" ? `${name}_usd` : name,
    title,
    type,
    value: (row) => row[name] as Cell,
  }));
}

type Content<Part extends keyof StatementContent> = StatementContent[Part];
type RowOf<List> = List extends readonly (infer Row)[] ? Row : never;

/** The tables of a statement, in the order of the page. */
export function statementTables(content: StatementContent): StatementTable[] {
  return [...businessTables(content), ...salesTables(content), ...bankTables(content), ...traceTables(content)];
}

function businessTables({ licenses, consents, sources }: StatementContent): StatementTable[] {
  return [
    table("licenses", "Licenses at both ends of the period", licenses, [
      ...fields<RowOf<Content<"licenses">>, "number" | "holder">("text", { number: "License", holder: "Holder" }),
      column("status_at_start", "First day", "text", ({ status_at_start: status }) => status ?? "not linked"),
      column("status_at_end", "Last day", "text", ({ status_at_end: status }) => status ?? "not linked"),
      ...fields<RowOf<Content<"licenses">>, "expires_at">("day", { expires_at: "Expires" }),
      ...fields<RowOf<Content<"licenses">>, "license_id">("code", { license_id: "Id" }),
    ]),
    table("consents", "Consents of the business", consents, [
      ...fields<RowOf<Content<"consents">>, "date">("instant", { date: "When (UTC)" }),
      ...fields<RowOf<Content<"consents">>, "event" | "terms_version">("text", {
        event: "Event",
        terms_version: "Version of the terms",
      }),
      ...fields<RowOf<Content<"consents">>, "invitation_id">("code", { invitation_id: "Invitation" }),
    ]),
    table("sources", "Sources and their freshness", sources, [
      ...fields<RowOf<Content<"sources">>, "kind" | "pos_type" | "state">("text", {
        kind: "Records",
        pos_type: "Point of sale",
        state: "State",
      }),
      ...fields<RowOf<Content<"sources">>, "data_as_of">("instant", { data_as_of: "Read up to (UTC)" }),
      ...fields<RowOf<Content<"sources">>, "rejected_records">("count", { rejected_records: "Rejected records" }),
    ]),
  ];
}

const column = <Row>(name: string, title: string, type: CellType, value: (row: Row) => Cell): Column<Row> => ({
  name,
  title,
  type,
  value,
});

function salesTables({ totals, days, checks }: StatementContent): StatementTable[] {
  type Day = RowOf<Content<"days">>;
  const shared = { count: "Records", total_paid: "Paid" };
  const share = <Row extends { share: number | null }>() =>
    fields<Row, "share">("percent", { share: "Share of the amount" });
  return [
    table("payments", "By means of payment", totals.by_payment, [
      column("type", "Means", "text", ({ type }) => type),
      column("count", "Payments", "count", ({ count }) => count),
      column("amount_usd", "Amount", "cents", ({ amount }) => amount),
      ...share<RowOf<typeof totals.by_payment>>(),
    ]),
    table("customer-types", "By type of customer", totals.by_customer_type, [
      column("type", "Type", "text", ({ type }) => type),
      column("count", shared.count, "count", ({ count }) => count),
      column("total_paid_usd", shared.total_paid, "cents", ({ total_paid }) => total_paid),
      ...share<RowOf<typeof totals.by_customer_type>>(),
    ]),
    table("days", "Days", days, [
      ...fields<Day, "date">("day", { date: "Day" }),
      ...fields<Day, "complete">("flag", { complete: "Complete" }),
      ...fields<Day, "revision" | "records" | "sales" | "returns" | "adjustments">("count", {
        revision: "Revision",
        records: "Records",
        sales: "Sales",
        returns: "Returns",
        adjustments: "Adjustments",
      }),
      ...fields<Day, "gross_sales" | "subtotal" | "total_discounts" | "fees" | "tax_paid" | "total_paid">("cents", {
        gross_sales: "Gross",
        subtotal: "Subtotal",
        total_discounts: "Discounts",
        fees: "Fees",
        tax_paid: "Tax",
        total_paid: "Paid",
      }),
      ...fields<Day, "unknown_amounts" | "mismatched">("count", {
        unknown_amounts: "Unknown amounts",
        mismatched: "Mismatched",
      }),
      ...fields<Day, "completed_date" | "svc_updated_date">("instant", {
        completed_date: "Completed (UTC)",
        svc_updated_date: "Last change (UTC)",
      }),
      ...fields<Day, "digest">("code", { digest: "Digest of the records" }),
    ]),
    table("compliance", "Retail sales by the result of the checks", totals.by_compliance, [
      column("status", "Result", "text", ({ status }) => status),
      column("count", "Sales", "count", ({ count }) => count),
      column("total_paid_usd", shared.total_paid, "cents", ({ total_paid }) => total_paid),
      ...share<RowOf<typeof totals.by_compliance>>(),
    ]),
    table("checks", "Sales that break a rule, by rule", checks.by_rule, [
      column("rule_id", "Rule", "code", ({ rule_id }) => rule_id),
      column("finding", "Finding", "text", ({ finding }) => finding),
      column("sales", "Sales", "count", ({ sales }) => sales),
      column("total_paid_usd", shared.total_paid, "cents", ({ total_paid }) => total_paid),
    ]),
    table("flagged-sales", "These sales", checks.flagged_sales, [
      column("date", "Day", "day", ({ date }) => date),
      column("status", "Result", "text", ({ status }) => status),
      column("total_paid_usd", shared.total_paid, "cents", ({ total_paid }) => total_paid),
      column("rules", "Rules", "code", ({ exceptions, warnings }) => [...exceptions, ...warnings].join(" ")),
      column("sale_id", "Sale", "code", ({ sale_id }) => sale_id),
    ]),
  ];
}

function bankTables({ deposits, state_days: stateDays }: StatementContent): StatementTable[] {
  type Deposit = RowOf<Content<"deposits">["records"]>;
  type Day = RowOf<Content<"deposits">["days"]>;
  type StateDay = RowOf<Content<"state_days">>;
  return [
    table("deposit-sums", "Deposits by type", deposits.by_type, [
      column("type", "Type", "text", ({ type }) => type),
      column("counted", "Counted", "flag", ({ counted }) => counted),
      column("count", "Deposits", "count", ({ count }) => count),
      column("amount_usd", "Amount", "cents", ({ amount }) => amount),
    ]),
    table("cash-counts", "Cash counts", deposits.cash_counts, [
      column("date", "Day", "day", ({ date }) => date),
      column("amount_usd", "Cash at the business", "cents", ({ amount }) => amount),
    ]),
    table("reconciliation-days", "Cash sold and deposited, and the balance", deposits.days, [
      ...fields<Day, "date">("day", { date: "Day" }),
      ...fields<Day, "cash_sales_low" | "cash_sales_high" | "cash_deposited" | "balance_low" | "balance_high">(
        "cents",
        {
          cash_sales_low: "Cash sold, least",
          cash_sales_high: "most",
          cash_deposited: "Cash deposited",
          balance_low: "Balance, least",
          balance_high: "most",
        },
      ),
      ...fields<Day, "card_sales" | "card_settled">("cents", { card_sales: "Card sales", card_settled: "Settled" }),
      ...fields<Day, "status">("text", { status: "Status" }),
      ...fields<Day, "complete">("flag", { complete: "Complete" }),
      ...fields<Day, "counted">("day", { counted: "Counted" }),
      ...fields<Day, "count_difference">("cents", { count_difference: "Count off by" }),
      ...fields<Day, "revision">("count", { revision: "Revision" }),
    ]),
    table("deposits", "Deposits", deposits.records, [
      ...fields<Deposit, "posted_date" | "business_date">("day", { posted_date: "Posted", business_date: "Counts on" }),
      ...fields<Deposit, "type" | "excluded_reason">("text", { type: "Type", excluded_reason: "Excluded as" }),
      ...fields<Deposit, "amount">("cents", { amount: "Amount" }),
      ...fields<Deposit, "id">("text", { id: "Posting" }),
    ]),
    table("state-days", "Days in the state's system, next to the point of sale", stateDays, [
      ...fields<StateDay, "date">("day", { date: "Day" }),
      ...fields<StateDay, "license_number" | "system">("text", { license_number: "License", system: "System" }),
      ...fields<StateDay, "complete">("flag", { complete: "Complete" }),
      ...fields<StateDay, "receipts" | "voided">("count", { receipts: "Receipts", voided: "Voided" }),
      ...fields<StateDay, "total" | "pos_total" | "pos_subtotal" | "variance">("cents", {
        total: "State",
        pos_total: "Paid",
        pos_subtotal: "Subtotal",
        variance: "Variance",
      }),
      ...fields<StateDay, "variance_percent">("percent", { variance_percent: "Variance" }),
      ...fields<StateDay, "basis">("text", { basis: "Compared with" }),
      ...fields<StateDay, "data_as_of">("instant", { data_as_of: "Read (UTC)" }),
      ...fields<StateDay, "digest">("code", { digest: "Digest of the receipts" }),
    ]),
  ];
}

function traceTables({ insights, access, comparison }: StatementContent): StatementTable[] {
  type Insight = RowOf<Content<"insights">>;
  const decisions = insights.flatMap(({ id, code, history }) => history.map((each) => ({ id, code, ...each })));
  type Decision = RowOf<typeof decisions>;
  return [
    table("insights", "Insights", insights, [
      ...fields<Insight, "start_date" | "end_date">("day", { start_date: "From", end_date: "To" }),
      ...fields<Insight, "code" | "sentence" | "criterion" | "status">("text", {
        code: "Insight",
        sentence: "Figures",
        criterion: "Holds if",
        status: "Status",
      }),
      ...fields<Insight, "raised_date" | "withdrawn_date">("instant", {
        raised_date: "Raised (UTC)",
        withdrawn_date: "Withdrawn (UTC)",
      }),
      ...fields<Insight, "id">("code", { id: "Id" }),
    ]),
    table("decisions", "Decisions on insights", decisions, [
      ...fields<Decision, "date">("instant", { date: "When (UTC)" }),
      ...fields<Decision, "code" | "status" | "note">("text", { code: "Insight", status: "Decision", note: "Note" }),
      column("person", "By", "text", ({ decided_by_person: person }) => person && (person.name ?? person.sub)),
      ...fields<Decision, "decided_by">("code", { decided_by: "Credential" }),
      column("insight_id", "Insight", "code", ({ id }) => id),
    ]),
    table("readers", "Who read the data", access.readers, [
      column("sub", "Person", "text", ({ sub }) => sub),
      column("owner", "Owner", "text", ({ owner }) => owner),
      column("requests", "Requests", "count", ({ requests }) => requests),
      column("last_date", "Last (UTC)", "instant", ({ last_date }) => last_date),
      column("client_id", "Credential", "code", ({ client_id }) => client_id),
    ]),
    ...(comparison
      ? [
          table("differences", "Differences from the earlier statement", comparison.differences, [
            column("part", "Part", "text", ({ part }) => part),
            column("item", "Item", "text", ({ item }) => item),
            column("field", "Field", "text", ({ field }) => field),
            column("before", "Before", "text", ({ before }) => plain(before)),
            column("after", "After", "text", ({ after }) => plain(after)),
          ]),
        ]
      : []),
  ];
}

/** A value of any field in a cell. Amounts are in cents, as in the content. */
const plain = (value: unknown): string | number | null =>
  value === null || typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
