import * as z from "zod";
import { listRecords } from "../typescript/index.ts";
import { defineTool, marked, now, type Service, type Tool, thirdParty, total } from "./tool.ts";

// Each tool returns some fifty rows: a model's context is small. Larger results say how to get the rest. Schemas drop all
// fields that they do not name, such as persons.

const crb = "/service-providers/{sp_id}/crbs/{crb_id}";
const limit = 50;
const crb_id = z.uuid().describe("Id of the business, from list_businesses");
const day = (what: string) => z.iso.date().describe(`${what}, yyyy-MM-dd, in the time zone of the business`);
const window = { start_date: day("First day"), end_date: day("Last day") };
const offset = z.int().min(0).default(0).describe("Number of rows to skip");
const [text, int, optional] = [z.string(), z.int(), z.string().nullable()];
const cents = int.describe("Cents");

/** A page of a list, with how to get the rows after it. */
function paged<Row extends object>(tool: string, skipped: number, page: { data: Row[]; metadata: { total: number } }) {
  const [end, all] = [skipped + page.data.length, page.metadata.total];
  const next = end < all ? { next: `${tool} with offset ${end}; there are ${all} rows` } : {};
  return { as_of: now(), data: marked(page.data), ...next };
}

const readOverview = ({ client, sp_id }: Service, skipped: number) =>
  client.get("/service-providers/{sp_id}/overview", {
    params: { path: { sp_id }, query: { limit, offset: skipped } },
  });

const matter = z.object({ code: text, since: text, count: int, id: optional });
const balance = z.object({ date: text, status: text, balance_low: cents.nullable(), balance_high: cents.nullable() });

const listBusinesses = defineTool({
  name: "list_businesses",
  description:
    "Lists the bank's businesses with state, freshness of data, licenses, cash at the business, open insights and documents that wait; the one with the gravest matter comes first. Begin here: other tools need a crb_id.",
  operations: ["getOverview"],
  input: { offset },
  data: z.array(
    z.object({
      ...{ crb_id: text, state: text, status: text, as_of: optional, matters: z.array(matter) },
      data: z.object({ state: text, data_as_of: optional }).nullable(),
      license: z.object({ status: optional, count: int, next_expiry: optional }).nullable(),
      ...{ balance: balance.nullable(), open_insights: int, documents_to_review: int },
      third_party: thirdParty({ name: text, dba: optional }),
    }),
  ),
  async run(service, input) {
    const page = await readOverview(service, input.offset);
    const pending = page.data.filter(({ as_of }) => as_of === null).length;
    const missing = pending > 0 ? { missing: `The figures of ${pending} businesses are not computed yet.` } : {};
    return { ...paged("list_businesses", input.offset, page), ...missing };
  },
});

const sumSales = defineTool({
  name: "sum_sales",
  description:
    "Sums the sales of a business over a window: totals, means of payment, types of customers, results of sale checks, and a row for each day, or for each month of a longer window. Amounts are net of returns.",
  operations: ["listCrbSalesDays"],
  input: { crb_id, ...window },
  data: z.object({
    days: int.describe("Days with sales"),
    incomplete_days: z.array(text).describe("Days whose sales are not all stored; at most 50"),
    ...{ total_paid: cents, by_payment: z.record(text, cents), by_customer_type: z.record(text, cents) },
    by_compliance: z.record(text, int),
    rows: z.array(z.object({ period: text, sales: int, returns: int, total_paid: cents, red_flag: int })),
  }),
  async run({ client, sp_id }, { crb_id: id, ...query }) {
    const params = { path: { sp_id, crb_id: id }, query };
    const days = await Array.fromAsync(listRecords(client, `${crb}/sales-days`, params));
    const incomplete = days.filter(({ complete }) => !complete).map(({ date }) => date);
    const payments = days.flatMap(({ by_payment }) => by_payment);
    const periods = Map.groupBy(days, ({ date }) => (days.length > 31 ? date.slice(0, 7) : date));
    const sums = <Name extends string>(names: readonly Name[], sumOf: (name: Name) => number) =>
      Object.fromEntries(names.map((name) => [name, sumOf(name)]));
    return {
      as_of: days[0]?.data_as_of ?? null,
      ...(incomplete.length > 0 && { missing: `${incomplete.length} of ${days.length} days are not complete.` }),
      data: {
        ...{ days: days.length, incomplete_days: incomplete.slice(0, limit) },
        total_paid: total(days, (each) => each.total_paid),
        by_payment: sums([...new Set(payments.map(({ type }) => type))], (type) =>
          total(payments, (each) => (each.type === type ? each.amount : 0)),
        ),
        by_customer_type: sums(["medical", "rec", "unknown"], (type) =>
          total(days, (each) => each.by_customer_type[type].total_paid),
        ),
        by_compliance: sums(["red_flag", "warning", "svc_checked", "unchecked"], (status) =>
          total(days, (each) => each.by_compliance[status].count),
        ),
        rows: [...periods].map(([period, those]) => ({
          ...{ period, red_flag: total(those, (each) => each.by_compliance.red_flag.count) },
          ...sums(["sales", "returns", "total_paid"], (name) => total(those, (each) => each[name])),
        })),
      },
    };
  },
});

const run = z.object({ status: text, since: text, until: text, days: int });

const compareDeposits = defineTool({
  name: "compare_deposits",
  description:
    "Compares deposits with cash sales in a window, of one business or of all. `runs` says since when a status holds. deposits_unexplained: more cash was deposited than all sales explain. cash_outstanding: cash has not arrived.",
  operations: ["getOverview", "listReconciliationDays"],
  input: { ...window, crb_id: crb_id.optional(), offset },
  data: z.array(
    z.object({
      ...{ crb_id: text, days: int, cash_sales_low: cents, cash_sales_high: cents, cash_deposited: cents },
      ...{ newest: balance.nullable(), runs: z.array(run).describe("Days within the tolerance are left out") },
    }),
  ),
  async run(service, { crb_id: one, offset: skipped, ...query }) {
    const { client, sp_id } = service;
    const all = one ? undefined : await readOverview(service, skipped);
    const compared = all ? all.data.filter((row) => row.balance).map((row) => row.crb_id) : [one as string];
    const data = [];
    for (const id of compared) {
      const params = { path: { sp_id, crb_id: id }, query: { ...query, limit: 1_000 } };
      const days = (await client.get(`${crb}/reconciliation-days`, { params })).data.toReversed();
      data.push({
        ...{ crb_id: id, days: days.length, newest: days.at(-1) ?? null, runs: runsOf(days).slice(-20) },
        cash_sales_low: total(days, (each) => each.cash_sales_low),
        cash_sales_high: total(days, (each) => each.cash_sales_high),
        cash_deposited: total(days, (each) => each.cash_deposited),
      });
    }
    const without = (all?.data.length ?? 0) - compared.length;
    const missing = without > 0 ? { missing: `${without} businesses have no deposits and counts to compare.` } : {};
    return { ...(all && paged("compare_deposits", skipped, all)), ...missing, as_of: now(), data };
  },
});

/** Days of the same status that follow each other. */
function runsOf(days: readonly { date: string; status: string }[]): z.infer<typeof run>[] {
  const runs: z.infer<typeof run>[] = [];
  for (const { date, status } of days) {
    const last = runs.at(-1);
    if (last?.status === status) Object.assign(last, { until: date, days: last.days + 1 });
    else runs.push({ status, since: date, until: date, days: 1 });
  }
  return runs.filter(({ status }) => status !== "within");
}

const insight = z.object({
  ...{ id: text, crb_id: text, code: text, start_date: text, end_date: text, sentence: text, criterion: text },
  ...{ status: text, revision: int, third_party: thirdParty({ notes: z.array(text) }) },
});

const withNotes = <Stored extends { history: readonly { note: string }[] }>(stored: Stored) => ({
  ...stored,
  third_party: { notes: stored.history.map(({ note }) => note) },
});

const listInsights = defineTool({
  name: "list_insights",
  description:
    "Lists unusual facts about businesses, the gravest and oldest first, with figures, criterion and decisions. An insight is a reason to look, and never a proof.",
  operations: ["listInsights"],
  input: {
    status: z.enum(["open", "escalated", "explained", "dismissed", "withdrawn"]).default("open"),
    ...{ crb_id: crb_id.optional(), cursor: text.optional() },
  },
  data: z.array(insight),
  async run({ client, sp_id }, query) {
    const params = { path: { sp_id }, query: { ...query, limit } };
    const page = await client.get("/service-providers/{sp_id}/insights", { params });
    const next = page.has_more ? { next: `list_insights with cursor ${page.cursor}` } : {};
    return { as_of: now(), data: page.data.map(withNotes), ...next };
  },
});

const decideInsight = defineTool({
  name: "decide_insight",
  description:
    "Stores a person's decision on an insight. Call it only after the person has confirmed status and note. Never write into the note what a suspicious activity report says, or whether there is one.",
  operations: ["decideInsight"],
  decides: true,
  input: {
    ...{ insight_id: z.uuid(), status: z.enum(["open", "explained", "dismissed", "escalated"]) },
    note: text.min(1).max(500),
    revision: int.min(1).describe("The revision that the person has read"),
  },
  data: insight,
  async run({ client, sp_id }, { insight_id, ...body }) {
    const params = { path: { sp_id, insight_id } };
    const decided = await client.put("/service-providers/{sp_id}/insights/{insight_id}", { params, body });
    return { as_of: now(), data: withNotes(decided) };
  },
});

const listFlaggedSales = defineTool({
  name: "list_flagged_sales",
  description: "Lists the sales of a window that rules flag, without their customers. explain_sale says why.",
  operations: ["listCrbSales"],
  input: { crb_id, ...window, status: z.enum(["red_flag", "warning"]).default("red_flag"), offset },
  data: z.array(
    z.object({
      ...{ id: text, local_date: optional, total_paid: cents.nullable() },
      ...{ compliance_exceptions: z.array(text).nullable(), compliance_warnings: z.array(text).nullable() },
    }),
  ),
  async run({ client, sp_id }, { crb_id: id, status, offset: skipped, ...days }) {
    const query = { ...days, compliance_status: status, limit, offset: skipped };
    const page = await client.get(`${crb}/sales`, { params: { path: { sp_id, crb_id: id }, query } });
    const retail = page.data.filter((sale) => sale.type === "retail");
    return { ...paged("list_flagged_sales", skipped, page), data: retail };
  },
});

type Get = (path: string, init: object) => Promise<{ data: object[]; metadata: { total: number } }>;

/** A tool that reads one operation, whose parameters it takes, and shows the named fields. */
const reading = (
  operation: string,
  path: string,
  tool: Pick<Tool, "name" | "description" | "input" | "data">,
): Tool => ({
  ...tool,
  operations: [operation],
  async run({ client, sp_id }, { offset: skipped, ...ids }) {
    const params = { path: { sp_id, ...ids }, query: skipped === undefined ? {} : { limit, offset: skipped } };
    const answer = await (client.get as Get)(path, { params });
    if (typeof skipped === "number") return paged(tool.name, skipped, answer);
    return { as_of: now(), data: "metadata" in answer ? marked(answer.data) : answer };
  },
});

const check = z.object({
  ...{ rule_id: text, outcome: text, why: optional, limit: z.number().nullable(), value: z.number().nullable() },
  ...{ unit: optional, citation: optional },
});

const reads = [
  reading("listCrbReplications", `${crb}/replications`, {
    name: "get_freshness",
    description: "Says for each kind of records whether its replication is current, late or failing, and why.",
    input: { crb_id },
    data: z.array(z.object({ kind: text, state: text, data_as_of: optional, records: int, error: optional })),
  }),
  reading("listCrbLicenses", `${crb}/licenses`, {
    name: "list_licenses",
    description: "Lists the state licenses linked to a business: status, expiry, and whether the holder's names fit.",
    input: { crb_id },
    data: z.array(
      z.object({
        ...{ id: text, license_identifier: optional, status: text, status_date: text, expires_at: optional },
        ...{ holder_matches: optional, also_linked_to: z.array(text), register_date: text },
        third_party: thirdParty({ licensee: optional }),
      }),
    ),
  }),
  reading("listDocumentsToReview", "/service-providers/{sp_id}/documents-to-review", {
    name: "list_documents_to_review",
    description: "Lists documents that wait for the bank's review, without the names of files and of persons.",
    input: { offset },
    data: z.array(
      z.object({
        ...{ crb_id: text, required: z.boolean(), document: z.object({ id: text, upload_date: text }) },
        third_party: thirdParty({ crb_name: text, requirement_name: text }),
      }),
    ),
  }),
  reading("explainCrbSaleChecks", `${crb}/sales/{sale_id}/checks`, {
    name: "explain_sale",
    description:
      "Says for each rule of the state whether a sale passed it, broke it or was not evaluated, with limit, value and citation.",
    input: { crb_id, sale_id: z.uuid() },
    data: z.object({ sale_id: text, state: text, date: optional, rules_version: text, checks: z.array(check) }),
  }),
];

/** All tools that read the API. Those with `decides` are offered only with `--allow-decisions`. */
export const tools: readonly Tool[] = [
  ...[listBusinesses, sumSales, compareDeposits, listInsights, decideInsight, listFlaggedSales, ...reads],
];
