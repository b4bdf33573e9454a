import * as z from "zod";
import { ApiError, listRecords } from "../typescript/index.ts";
import { searchGuides } from "./guides.ts";
import { defineTool, type Service, type Tool, thirdParty, total } from "./tool.ts";

// Each tool returns some fifty rows: a model's context is small. Larger results say how to get the rest. Schemas drop all
// fields that they do not name, such as persons.

const bank = "/service-providers/{sp_id}";
const crb = `${bank}/crbs/{crb_id}` as const;
const limit = 50;
const crb_id = z.uuid().describe("Id of the business, from list_businesses");
const day = (what: string) => z.iso.date().describe(`${what}, yyyy-MM-dd, in the time zone of the business`);
const window = { start_date: day("First day"), end_date: day("Last day") };
const offset = z.int().min(0).default(0).describe("Number of rows to skip");
const [text, int, optional] = [z.string(), z.int(), z.string().nullable()];
const cents = int.describe("Cents");
const rows = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape));

/** How to get the rows from `end` on, if there are any. */
const following = (end: number, all = 0) =>
  end < all ? { next: `Call it again with offset ${end}; there are ${all} rows` } : {};

/** A finding begins with the id of its rule. The rest can state the age of a person. */
interface FlaggedSale {
  compliance_exceptions?: readonly string[] | null;
  compliance_warnings?: readonly string[] | null;
}
const rulesOf = ({ compliance_exceptions, compliance_warnings }: FlaggedSale) =>
  [...(compliance_exceptions ?? []), ...(compliance_warnings ?? [])].map((finding) => finding.replace(/: .*/s, ""));

type Page = {
  data: ({ as_of?: string | null } & FlaggedSale)[];
  metadata?: { total: number; count: string };
  has_more?: boolean;
  cursor?: string;
};

/** The time up to which all sales of a business are stored; null if unknown. */
async function salesAsOf({ client, sp_id }: Service, crb_id: string): Promise<string | null> {
  const { data } = await client.get(`${crb}/replications`, { params: { path: { sp_id, crb_id } } });
  return data.find(({ kind }) => kind === "sales")?.data_as_of ?? null;
}

/** Whether all sales up to the end of a day are stored. In no time zone does a day end later than 36 hours after its beginning in UTC. */
const isStoredUntil = (as_of: string | null, date: string) =>
  as_of !== null && Date.parse(as_of) >= Date.parse(date) + 36 * 3_600_000;

/** The number of rows in a range such as "51 - 100", with the damaged rows, which the page lacks. */
function sizeOf(count: string): number {
  const [first = 0, last = 0] = count.split(" - ").map(Number);
  return last === 0 ? 0 : last - first + 1;
}

/** The oldest of some times; null if one is unknown. */
const oldest = (times: readonly (string | null)[]) => (times.includes(null) ? null : (times.toSorted()[0] ?? null));

/**
 * A tool that calls one operation with its own parameters, and shows the fields that its schema names.
 *
 * @param tool.asOf how old the data are: as the replication of `sales`, or as the oldest of the `rows`; of the call, if absent
 * @param tool.derive fields that the operation's row does not have
 */
const calling = (
  operation: string,
  path: string,
  {
    asOf,
    derive = () => ({}),
    ...tool
  }: Omit<Tool, "operations" | "run"> & { asOf?: "sales" | "rows"; derive?: (row: FlaggedSale) => object },
): Tool => ({
  ...tool,
  operations: [operation, ...(asOf === "sales" ? ["listCrbReplications"] : [])],
  async run(service, parameters) {
    const { client, sp_id } = service;
    const params = { path: { sp_id, ...parameters } };
    const others = Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`));
    const isPaged = "offset" in tool.input || "cursor" in tool.input;
    const query = { ...Object.fromEntries(others), ...(isPaged && { limit }) };
    const call = (tool.decides ? client.put : client.get) as (path: string, init: object) => Promise<Page | object>;
    // Read before the data, which may become newer meanwhile.
    const remarks = asOf === "sales" && { as_of: await salesAsOf(service, String(parameters.crb_id)) };
    const answer = await call(path, tool.decides ? { params, body: query } : { params: { ...params, query } });
    if (!("data" in answer)) return { ...remarks, data: { ...answer, third_party: answer } };
    // A page lacks damaged rows, and `total` counts them.
    const end = Number(parameters.offset ?? 0) + limit;
    const pending = asOf === "rows" ? answer.data.filter(({ as_of }) => as_of === null).length : 0;
    const damaged = answer.metadata ? sizeOf(answer.metadata.count) - answer.data.length : 0;
    const missing = [
      ...(pending > 0 ? [`The figures of ${pending} rows are not computed yet.`] : []),
      ...(damaged > 0 ? [`${damaged} rows cannot be read at present.`] : []),
    ];
    return {
      ...remarks,
      ...(asOf === "rows" && { as_of: oldest(answer.data.map(({ as_of }) => as_of ?? null)) }),
      data: answer.data.map((row) => ({ ...row, ...derive(row), third_party: row })),
      ...(missing.length > 0 && { missing: missing.join(" ") }),
      ...(answer.has_more
        ? { next: `Call it again with cursor ${answer.cursor}` }
        : following(end, answer.metadata?.total)),
    };
  },
});

const balance = z.object({ date: text, status: text, balance_low: cents.nullable(), balance_high: cents.nullable() });
const insight = z.object({
  ...{ id: text, crb_id: text, code: text, start_date: text, end_date: text, sentence: text, criterion: text },
  ...{ status: text, revision: int },
  latest: z.object({ as_of: text, sentence: text, ended_on: optional }).nullable(),
  third_party: thirdParty({
    inputs: z.object({ sales: rows({ pos_sale_id: optional, rules: rows({ id: text, name: text }) }) }),
    history: rows({ date: text, status: text, note: text }),
  }),
});
const value = z.union([z.number(), text]).nullable();
const check = { rule_id: text, outcome: text, why: optional, limit: value, value, unit: optional, citation: optional };

const sums = <Name extends string>(names: readonly Name[], sumOf: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, sumOf(name)])) as Record<Name, number>;

const sumSales = defineTool({
  description:
    "Sums the sales of a business over a window: totals, means of payment, types of customers, results of sale checks, and a row for each day, or for each month of a longer window. Amounts are net of returns.",
  operations: ["listCrbSalesDays", "listCrbReplications"],
  input: { crb_id, ...window },
  data: z.object({
    days: int.describe("Days with sales"),
    incomplete_days: z.array(text).describe("Days whose sales are not all stored; at most 50"),
    ...{ total_paid: cents, by_payment: z.record(text, cents), by_customer_type: z.record(text, cents) },
    by_compliance: z.record(text, int),
    rows: rows({ period: text, sales: int, returns: int, total_paid: cents, red_flag: int }),
  }),
  async run(service, { crb_id: id, ...query }) {
    const { client, sp_id } = service;
    const path = { sp_id, crb_id: id };
    const stored = await salesAsOf(service, id);
    const days = await Array.fromAsync(listRecords(client, `${crb}/sales-days`, { path, query }));
    const incomplete = days.filter(({ complete }) => !complete).map(({ date }) => date);
    const payments = days.flatMap(({ by_payment }) => by_payment);
    const last = days[0]?.date ?? "";
    const missing = incomplete.length > 0 ? [`${incomplete.length} of ${days.length} days are not complete.`] : [];
    const unknown = total(days, (each) => each.unknown_paid_amounts);
    if (unknown > 0) missing.push(`${unknown} sales lack an amount: the sums are lower bounds.`);
    const as_of = days[0]?.data_as_of ?? stored;
    // A day that has ended is unlisted only if it had no sales.
    if (last < query.end_date && !isStoredUntil(as_of, query.end_date))
      missing.push(last ? `The days after ${last} are not complete.` : "No day is complete.");
    const periods = Map.groupBy(days, ({ date }) => (days.length > 31 ? date.slice(0, 7) : date));
    return {
      as_of,
      ...(missing.length > 0 && { missing: missing.join(" ") }),
      data: {
        days: days.filter(({ records }) => records > 0).length,
        incomplete_days: incomplete.slice(0, limit),
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

const compareDeposits = defineTool({
  description:
    "Compares deposits with cash sales in a window, of one business or of all. `runs` says since when a status holds; the first one can have begun before the window. deposits_unexplained: more cash was deposited than all sales explain. cash_outstanding: cash has not arrived. count_differs: a cash count found more or less than could be there.",
  operations: ["getOverview", "listReconciliationDays", "listCrbReplications"],
  input: { ...window, crb_id: crb_id.optional(), offset },
  data: rows({
    ...{ crb_id: text, days: int, cash_sales_low: cents, cash_sales_high: cents, cash_deposited: cents },
    complete: z
      .boolean()
      .describe("Whether all days of the window are compared; if not, more deposits than sales prove nothing"),
    newest: balance.nullable(),
    runs: rows({ status: text, since: text, until: text, days: int, may_begin_earlier: z.boolean() }).describe(
      "Without days within the tolerance. not_compared: the sales are not complete, an amount has been unknown since the last cash count, or the comparison begins later",
    ),
  }),
  async run(service, { crb_id: one, offset: skipped, ...query }) {
    const { client, sp_id } = service;
    const params = { path: { sp_id }, query: { limit, offset: skipped } };
    const all = one ? undefined : await client.get(`${bank}/overview`, { params });
    // The overview has the times already. They are read before the days, which may become newer meanwhile. Its balance is that of
    // the last days alone, so the days of each business are read.
    const compared = all
      ? all.data.map((row) => ({ id: row.crb_id, asOf: row.data?.data_as_of ?? null }))
      : [{ id: one as string, asOf: await salesAsOf(service, one as string) }];
    const missing: string[] = [];
    const times: (string | null)[] = [];
    const data = [];
    let without = 0;
    for (const { id, asOf } of compared) {
      const params = { path: { sp_id, crb_id: id }, query: { ...query, limit: 1_000 } };
      const read = await client.get(`${crb}/reconciliation-days`, { params }).catch((error: unknown) => {
        // Others are compared, even if the association has just ended, or this list has to be repaired.
        if (!all || !(error instanceof ApiError) || ![404, 503].includes(error.status)) throw error;
        missing.push(`${id} cannot be read at present (${error.status}).`);
      });
      if (!read) continue;
      const { data: days, has_more } = read;
      if (days.length === 0) without++;
      if (all && days.length === 0) continue;
      times.push(asOf);
      const runs = runsOf(days.toReversed());
      if (has_more || runs.length > 20) missing.push(`${id} has more days and runs: choose a shorter window.`);
      const isStored = days[0]?.date === query.end_date || isStoredUntil(asOf, query.end_date);
      const areCompared = days.length > 0 && days.every(({ status }) => status !== "not_compared");
      const first = { ...params, query: { end_date: query.start_date, limit: 1 } };
      // Days before the first reading are not listed, as days without sales are not.
      const isBegun = async () =>
        days.at(-1)?.date === query.start_date ||
        (await client.get(`${crb}/reconciliation-days`, { params: first })).data.some(
          ({ status }) => status !== "not_compared",
        );
      data.push({
        ...{ crb_id: id, days: days.length, newest: days[0] ?? null, runs: runs.slice(-20) },
        complete: isStored && !has_more && areCompared && (await isBegun()),
        ...sums(["cash_sales_low", "cash_sales_high", "cash_deposited"], (name) => total(days, (each) => each[name])),
      });
    }
    const partial = data.filter(({ complete }) => !complete).length;
    if (partial > 0)
      missing.push(
        `Some days of ${partial} businesses are not compared (complete: false): sales or amounts can be missing in their sums.`,
      );
    if (without > 0) missing.push(`${without} businesses have no deposits and counts to compare in this window.`);
    const more = all && following(skipped + limit, all.metadata.total);
    return { as_of: oldest(times), data, ...(missing.length > 0 && { missing: missing.join(" ") }), ...more };
  },
});

/** Days of the same status that follow each other. */
function runsOf(days: readonly { date: string; status: string }[]) {
  const runs: { status: string; since: string; until: string; days: number }[] = [];
  for (const { date, status } of days) {
    const last = runs.at(-1)?.status === status ? runs.pop() : undefined;
    runs.push({ status, since: last?.since ?? date, until: date, days: (last?.days ?? 0) + 1 });
  }
  const [first] = runs;
  return runs.filter(({ status }) => status !== "within").map((run) => ({ ...run, may_begin_earlier: run === first }));
}

/** All tools. Those with `decides` are offered only with `--allow-decisions`. */
export const tools: Readonly<Record<string, Tool>> = {
  list_businesses: calling("getOverview", `${bank}/overview`, {
    asOf: "rows",
    description:
      "Lists the bank's businesses with state, freshness of data, licenses, cash at the business, open insights and documents that wait; the one with the gravest matter comes first. Begin here: other tools need a crb_id.",
    input: { offset },
    data: rows({
      ...{ crb_id: text, state: text, status: text, as_of: optional },
      matters: rows({ code: text, since: text, count: int, id: optional }),
      data: z.object({ state: text, data_as_of: optional }).nullable(),
      license: z.object({ status: optional, count: int, next_expiry: optional }).nullable(),
      ...{ balance: balance.nullable(), open_insights: int, documents_to_review: int },
      third_party: thirdParty({ name: text, dba: optional }),
    }),
  }),
  get_freshness: calling("listCrbReplications", `${crb}/replications`, {
    description: "Says for each kind of records whether its replication is current, late or failing, and why.",
    input: { crb_id },
    data: rows({ kind: text, state: text, data_as_of: optional, records: int, error: optional }),
  }),
  list_insights: calling("listInsights", `${bank}/insights`, {
    description:
      "Lists unusual facts about businesses, the gravest and oldest first, with figures, criterion and decisions. An insight is a reason to look, and never a proof.",
    input: {
      status: z.enum(["open", "escalated", "explained", "dismissed", "withdrawn"]).default("open"),
      ...{ crb_id: crb_id.optional(), cursor: text.optional() },
    },
    data: z.array(insight),
  }),
  decide_insight: calling("decideInsight", `${bank}/insights/{insight_id}`, {
    description:
      "Stores a person's decision on an insight. Call it only after the person has confirmed status and note. Never write into the note what a suspicious activity report says, or whether there is one.",
    decides: true,
    input: {
      ...{ insight_id: z.uuid(), status: z.enum(["open", "explained", "dismissed", "escalated"]) },
      ...{ note: text.min(1).max(500), revision: int.min(1).describe("The revision that the person has read") },
    },
    data: insight,
  }),
  list_licenses: calling("listCrbLicenses", `${crb}/licenses`, {
    description: "Lists the state licenses linked to a business: status, expiry, and whether the holder's names fit.",
    input: { crb_id, offset },
    data: rows({
      ...{ id: text, license_identifier: optional, status: text, status_date: text, expires_at: optional },
      ...{ holder_matches: optional, also_linked_to: z.array(text), register_date: text },
      third_party: thirdParty({ licensee: optional }),
    }),
  }),
  list_documents_to_review: calling("listDocumentsToReview", `${bank}/documents-to-review`, {
    description: "Lists documents that wait for the bank's review, without the names of files and of persons.",
    input: { offset },
    data: rows({
      ...{ crb_id: text, required: z.boolean(), document: z.object({ id: text, upload_date: text }) },
      third_party: thirdParty({ crb_name: text, requirement_name: text }),
    }),
  }),
  list_statements: calling("listStatements", `${crb}/statements`, {
    description:
      "Lists the statements of a business for an examiner, the newest first, with the digest that proves their content. A person opens their files in the console.",
    input: { crb_id, cursor: text.optional() },
    data: rows({
      ...{ id: text, start_date: text, end_date: text, format: text, status: text, error: optional },
      ...{ created_date: text, as_of: optional, compare_with: optional, sha256: optional },
    }),
  }),
  list_flagged_sales: calling("listCrbSales", `${crb}/sales`, {
    asOf: "sales",
    derive: (row) => ({ rules: rulesOf(row) }),
    description:
      "Lists the sales of a window that rules flag, and the ids of the rules, without the customers. explain_sale says why.",
    input: { crb_id, ...window, compliance_status: z.enum(["red_flag", "warning"]).default("red_flag"), offset },
    data: rows({ id: text, local_date: optional, total_paid: cents.nullable(), rules: z.array(text) }),
  }),
  explain_sale: calling("explainCrbSaleChecks", `${crb}/sales/{sale_id}/checks`, {
    asOf: "sales",
    description:
      "Says for each rule of the state whether a sale passed it, broke it or was not evaluated, with limit, value and citation.",
    input: { crb_id, sale_id: z.uuid() },
    data: z.object({ sale_id: text, state: text, date: optional, rules_version: text, checks: rows(check) }),
  }),
  list_sale_rules: calling("listSaleRules", `${bank}/sale-rules`, {
    description: "Lists the rules of a state that sales are checked against, and why some are not applied.",
    input: { state: text.length(2).describe("Two capital letters, such as CO"), offset },
    data: rows({
      ...{ id: text, check: text, applies_to: text, value, unit: optional },
      ...{ period: text, from: text, to: optional, citation: optional, enabled: z.boolean(), why_not: optional },
    }),
  }),
  ...{ sum_sales: sumSales, compare_deposits: compareDeposits, search_guides: searchGuides },
};
