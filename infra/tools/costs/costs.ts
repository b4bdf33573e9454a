import { readFileSync, writeFileSync } from "node:fs";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { newProgram, parseOrExit } from "../../cli/program.ts";
import { measured } from "../../constructs/measuredUsage.ts";
import { maxBusinesses, turnsPerSecond } from "../../constructs/replicationCapacity.ts";
import { stages } from "../../stages/stages.ts";
import { calls, deliveries, idle, type Load, month, newRecords, type Parts, totalOf, turns } from "./month.ts";
import { prices, pricesOf } from "./prices.ts";

// `npm run costs` computes the tables in docs/costs.md, the costs of a stage and its capacity, from measurements, the
// templates of prod, and prices. Tests fail if a table is stale or the templates contain an unknown resource type.

const million = 1e6;

/** The load of the example in docs/costs.md, whose sum is also calculated there by hand. */
export const exampleLoad: Load = {
  businesses: 50,
  readWhole: { location: 4, inventory: 600 },
  newADay: { location: 0, product: 5, customer: 50, inventory: 100, sale: 300 },
  pages: 100_000,
  records: million,
  documents: 10_000,
  mails: 500,
  tableGigabytes: 20,
};

const dollars = (parts: Parts): string => totalOf(parts).toFixed(2);

/** The unit costs, as Markdown. */
function unitTable(): string {
  const rows: [string, Parts][] = [
    ["a million list pages of 1,000", calls("page", million)],
    ["a million single reads", calls("record", million)],
    ["a million reads of the sales days of a year", calls("salesYear", million)],
    ...recordKinds.map((kind): [string, Parts] => [
      `a million new records, kind \`${kind}\``,
      newRecords(kind, million),
    ]),
    ["a million replication runs that find nothing new", turns(million)],
    ["a million events delivered to a webhook endpoint", deliveries(million)],
    ["a month of an idle stage", idle()],
    ["a GB stored in the table, a month", { DynamoDB: prices.tableGigabyte }],
  ];
  const lines = rows.map(([what, parts]) => {
    const most = Object.entries(parts)
      .filter(([, part]) => part >= 0.005)
      .sort(([, one], [, other]) => other - one)
      .map(([name, part]) => `${name} ${part.toFixed(2)}`);
    return `| ${what} | ${dollars(parts)} | ${most.join(", ")} |`;
  });
  return [
    `Dollars, at the prices of us-east-1 in ${pricesOf}, without free tiers. An unchanged record costs the`,
    `replication ${measured.unchanged.readUnits} read units.`,
    "",
    "| Item | Dollars | Parts |",
    "|---|---|---|",
    ...lines,
  ].join("\n");
}

/** The example's costs of a month, as Markdown. */
function monthTable(): string {
  const parts = month(exampleLoad);
  const lines = Object.entries(parts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, part]) => `| ${name} | ${part.toFixed(2)} |`);
  return ["| Service | Dollars |", "|---|---|", ...lines, `| all | ${dollars(parts)} |`].join("\n");
}

/** The number of businesses that a stage's replication workers can handle, as Markdown. */
function capacityTable(): string {
  const lines = (["sandbox", "prod"] as const).map((name) => {
    const { workers } = stages[name].aws;
    const turns = workers.replication / measured.turn.seconds;
    const businesses = maxBusinesses(stages[name], stages[name].aws).toLocaleString("en-US");
    return `| \`${name}\` | ${workers.replication} | ${turns} | ${businesses} |`;
  });
  return [
    `A business needs ${Math.round(3600 * turnsPerSecond(stages.prod))} runs an hour. A run that finds nothing new takes a worker ${measured.turn.seconds} s.`,
    "",
    "| Stage | `workers.replication` | Runs a second | Businesses, at most |",
    "|---|---|---|---|",
    ...lines,
  ].join("\n");
}

const document = new URL("../../../docs/costs.md", import.meta.url);
const between = (name: string) => new RegExp(`(?<=<!-- npm run costs: ${name} -->\\n)[\\s\\S]*?(?=\\n<!-- end -->)`);

/** docs/costs.md with current tables. */
export const withCosts = (text: string): string =>
  text
    .replace(between("units"), unitTable())
    .replace(between("month"), monthTable())
    .replace(between("capacity"), capacityTable());

if (import.meta.main) {
  parseOrExit(
    newProgram(
      "npm run costs --",
      "Updates the cost tables in docs/costs.md, and prints how many businesses a stage can serve.",
    ),
  );
  writeFileSync(document, withCosts(readFileSync(document, "utf8")));
  process.stdout.write(`${capacityTable()}\n`);
}
