import { readFileSync, writeFileSync } from "node:fs";
import { functionSizes } from "./functionSizes.ts";

// What a stage costs: `npm run costs` computes the table in docs/operations.md from what is measured, what is counted in
// the templates of prod, and prices. A test says when the table is stale, and when the templates hold something else.

/** Dollars, as AWS publishes them for us-east-1, without any free allowance. */
const prices = {
  date: "November 2025",
  readUnits: 0.125e-6,
  writeUnits: 0.625e-6,
  /** a GB of the table and its indexes, with point-in-time recovery, a month */
  storage: 0.25 + 0.2,
  gatewayRequest: 3.5e-6,
  wafRequest: 0.6e-6,
  lambdaRequest: 0.2e-6,
  /** arm64 */
  lambdaGigabyteSecond: 0.0000133334,
  transferredGigabyte: 0.09,
  loggedGigabyte: 0.5,
  queueRequest: 0.4e-6,
  // A month each.
  webAcl: 5,
  wafRule: 1,
  key: 1,
  secret: 0.4,
  alarmMetric: 0.1,
  dashboard: 3,
  customMetric: 0.3,
} as const;

/** Units of DynamoDB and bytes as they were measured (docs/bench/notes.md); times are those of a warm function, taken high. */
const measured = {
  page: { readUnits: 179.5, seconds: 0.15, kilobytes: 450 },
  record: { readUnits: 1.5, seconds: 0.02, kilobytes: 1.5 },
  change: { readUnits: 0.5, writeUnits: 4.58, seconds: 0.002 },
  /** what a call leaves in the logs: the line of the gateway, and those of the function */
  loggedKilobytes: 1.5,
} as const;

/** What prod has whether or not anybody calls it. */
export const standing = {
  webAcls: 1,
  wafRules: 6,
  keys: 2,
  secrets: 2,
  alarmMetrics: 41,
  dashboards: 1,
  /** those of replication */
  customMetrics: 7,
} as const;

const month = { minutes: 30 * 24 * 60 };
const gigabytesInKilobyte = 1e-6;

function call(
  { readUnits, seconds, kilobytes }: { readUnits: number; seconds: number; kilobytes: number },
  memory: number,
) {
  return {
    DynamoDB: readUnits * prices.readUnits,
    "API Gateway": prices.gatewayRequest,
    WAF: prices.wafRequest,
    Lambda: prices.lambdaRequest + seconds * (memory / 1024) * prices.lambdaGigabyteSecond,
    logs: measured.loggedKilobytes * gigabytesInKilobyte * prices.loggedGigabyte,
    transfer: kilobytes * gigabytesInKilobyte * prices.transferredGigabyte,
  };
}

function change({ readUnits, writeUnits, seconds }: (typeof measured)["change"]) {
  const memory = functionSizes.replication.memory / 1024;
  return {
    DynamoDB: readUnits * prices.readUnits + writeUnits * prices.writeUnits,
    Lambda: seconds * memory * prices.lambdaGigabyteSecond,
  };
}

function idle() {
  // The planner runs every minute, and each queue is asked for messages by five pollers that wait 20 s.
  const planner = month.minutes * (prices.lambdaRequest + 0.25 * 0.5 * prices.lambdaGigabyteSecond);
  const polls = month.minutes * 3 * 5 * 2;
  return {
    WAF: standing.webAcls * prices.webAcl + standing.wafRules * prices.wafRule,
    "keys and secrets": standing.keys * prices.key + standing.secrets * prices.secret,
    CloudWatch:
      standing.alarmMetrics * prices.alarmMetric +
      standing.dashboards * prices.dashboard +
      standing.customMetrics * prices.customMetric,
    Lambda: planner,
    SQS: polls * prices.queueRequest,
  };
}

/** The table, as Markdown. */
export function costTable(): string {
  const million = (parts: Record<string, number>) =>
    Object.fromEntries(Object.entries(parts).map(([name, dollars]) => [name, dollars * 1e6]));
  const rows: [string, Record<string, number>][] = [
    ["a million list pages of 1,000", million(call(measured.page, functionSizes.page.memory))],
    ["a million single reads", million(call(measured.record, functionSizes.record.memory))],
    ["a million replicated changes", million(change(measured.change))],
    ["a month of an idle stage", idle()],
    ["a GB stored, a month", { DynamoDB: prices.storage }],
  ];
  const lines = rows.map(([what, parts]) => {
    const total = Object.values(parts).reduce((sum, dollars) => sum + dollars, 0);
    const most = Object.entries(parts)
      .filter(([, dollars]) => dollars >= 0.005)
      .sort(([, one], [, other]) => other - one)
      .map(([name, dollars]) => `${name} ${dollars.toFixed(2)}`);
    return `| ${what} | ${total.toFixed(2)} | ${most.join(", ")} |`;
  });
  return [
    `Dollars, by the prices of us-east-1 of ${prices.date}, without free allowances. An unchanged record costs the`,
    `replication ${measured.change.readUnits} read units.`,
    "",
    "| What | Dollars | Of which |",
    "|---|---|---|",
    ...lines,
  ].join("\n");
}

const document = new URL("../docs/operations.md", import.meta.url);
const between = /(?<=<!-- npm run costs -->\n)[\s\S]*?(?=\n<!-- end -->)/;

/** docs/operations.md, with the table as it is computed now. */
export const withCosts = (text: string): string => text.replace(between, costTable());

if (import.meta.main) writeFileSync(document, withCosts(readFileSync(document, "utf8")));
