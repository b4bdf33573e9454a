import { readFileSync, writeFileSync } from "node:fs";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { integer, newProgram, parseOrExit } from "../../cli/program.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import { measured } from "../../constructs/measuredUsage.ts";
import { replicationBatch } from "../../constructs/replicationBatch.ts";
import { maxBusinesses, turnsPerSecond } from "../../constructs/replicationCapacity.ts";
import { stages } from "../../stages/stages.ts";
import type { Screen } from "../operator/session.ts";
import { tableLines } from "../operator/table.ts";
import { title } from "../operator/terminal.ts";
import { copyWays } from "./copyPlans.ts";
import {
  calls,
  deliveries,
  drivers,
  exportedRecords,
  idle,
  type Load,
  month,
  newRecords,
  type Parts,
  storedGigabyte,
  sum,
  totalOf,
  turns,
} from "./month.ts";
import { pricesOf } from "./prices.ts";
import { before, present, type Usage } from "./usageSets.ts";

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

/** The numbers of businesses for which docs/costs.md shows the price of one business. */
const businessCounts = [50, 1_000, 10_000] as const;

/** The example's load for another number of businesses. */
export function loadOf(businesses: number): Load {
  const { pages, records, documents, mails, tableGigabytes, ...each } = exampleLoad;
  const factor = businesses / each.businesses;
  return {
    ...each,
    businesses,
    pages: pages * factor,
    records: records * factor,
    documents: documents * factor,
    mails: mails * factor,
    tableGigabytes: tableGigabytes * factor,
  };
}

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
    ["an export of a million sales as `ndjson`, downloaded once", exportedRecords(million)],
    ["a month of an idle stage", idle()],
    [
      "the first reading of a business with 100,000 sales and 20,000 customers",
      sum([newRecords("sale", 100_000), newRecords("customer", 20_000)]),
    ],
    ["a GB stored in the table and its indexes, a month", { DynamoDB: storedGigabyte }],
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

const usageSets: readonly [name: string, usage: Usage][] = [
  ["before", before],
  ["this release", present],
];

/** Dollars of a business and month, before and after, as Markdown. */
function businessTable(): string {
  const lines = businessCounts.map((businesses) => {
    const cells = usageSets.map(([, usage]) => {
      const total = totalOf(month(loadOf(businesses), usage));
      return `${(total / businesses).toFixed(2)} (${Math.round(total).toLocaleString("en-US")} a month)`;
    });
    return `| ${businesses.toLocaleString("en-US")} | ${cells.join(" | ")} |`;
  });
  return [
    `| Businesses | ${usageSets.map(([name]) => `Dollars a business, ${name}`).join(" | ")} |`,
    `|---|${"---|".repeat(usageSets.length)}`,
    ...lines,
  ].join("\n");
}

/** Dollars of a business and month after years of stored records, as Markdown. */
function yearTable(): string {
  const lines = businessCounts.map((businesses) => {
    const cells = [1, 5].map((years) => {
      const tableGigabytes = (businesses * years * measured.gigabytesOfYear) / measured.tableShare;
      const total = totalOf(month({ ...loadOf(businesses), tableGigabytes }));
      return `${(total / businesses).toFixed(2)} (${Math.round(total).toLocaleString("en-US")} a month)`;
    });
    return `| ${businesses.toLocaleString("en-US")} | ${cells.join(" | ")} |`;
  });
  return [
    "| Businesses | Dollars a business, with 1 year stored | With 5 years stored |",
    "|---|---|---|",
    ...lines,
  ].join("\n");
}

/** The reasons for the costs of a business, each with its formula, as Markdown. */
function driverTable(): string {
  const businesses = businessCounts.at(-1) ?? 0;
  const load = loadOf(businesses);
  const dollarsBefore = new Map(drivers(load, before).map(({ name, parts }) => [name, totalOf(parts)]));
  const perBusiness = (total: number) => (total / businesses).toFixed(3);
  const lines = drivers(load, present)
    .map(({ name, formula, parts }) => ({ name, formula, now: totalOf(parts), before: dollarsBefore.get(name) ?? 0 }))
    .sort((one, other) => other.before - one.before)
    .map((row) => `| ${row.name} | ${row.formula} | ${perBusiness(row.before)} | ${perBusiness(row.now)} |`);
  return [
    `Dollars of one business and month, at ${businesses.toLocaleString("en-US")} businesses.`,
    "",
    "| Reason | Formula of one business, this release | Before | This release |",
    "|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** The ways to copy the table to another region, with prices, recovery points and times, as Markdown. */
function copyTable(): string {
  const lines = copyWays.map(({ name, recoveryPoint, recoveryTime, dollars }) => {
    const prices = businessCounts.map((businesses) => Math.round(dollars(loadOf(businesses))).toLocaleString("en-US"));
    return `| ${name} | ${prices.join(" | ")} | ${recoveryPoint} | ${recoveryTime} |`;
  });
  const columns = businessCounts.map((businesses) => `${businesses.toLocaleString("en-US")} businesses`);
  return [
    `| Copies of the table, dollars a month | ${columns.join(" | ")} | Maximum loss (RPO) | Time (RTO) |`,
    `|---|${"---|".repeat(columns.length + 2)}`,
    ...lines,
  ].join("\n");
}

/** The number of businesses that a stage's replication workers can handle, as Markdown. */
function capacityTable(): string {
  const lines = (["sandbox", "prod"] as const).map((name) => {
    const { workers } = stages[name].aws;
    const turns = (workers.replication * replicationBatch.messages) / replicationBatch.seconds;
    const businesses = maxBusinesses(stages[name], stages[name].aws).toLocaleString("en-US");
    return `| \`${name}\` | ${workers.replication} | ${turns} | ${businesses} |`;
  });
  return [
    `A business needs ${Math.round(3600 * turnsPerSecond(stages.prod))} runs an hour. A worker takes ${replicationBatch.seconds} s for ${replicationBatch.messages} runs that find nothing new.`,
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
    .replace(between("businesses"), businessTable())
    .replace(between("years"), yearTable())
    .replace(between("reasons"), driverTable())
    .replace(between("copies"), copyTable())
    .replace(between("month"), monthTable())
    .replace(between("capacity"), capacityTable());

/** The costs of a month with a number of businesses, by service and by reason, for people. */
export function costLines(businesses: number, screen: Screen): Line[] {
  const load = loadOf(businesses);
  const parts = month(load);
  const sorted = (rows: [name: string, dollars: number][]) => rows.sort(([, one], [, other]) => other - one);
  const tableBy = (heading: string, rows: [name: string, dollars: number][]) =>
    tableLines(screen, [...sorted(rows), ["all", totalOf(parts)] as const], {
      [heading]: ([name]) => name,
      "dollars a month": ([, total]) => total.toFixed(2).padStart(15),
      "dollars of one CRB": ([, total]) => (total / businesses).toFixed(4).padStart(18),
    });
  const most = maxBusinesses(stages.prod, stages.prod.aws);
  return [
    title(`A month with ${businesses.toLocaleString("en-US")} CRBs`),
    `With the load of docs/costs.md, at the prices of us-east-1 in ${pricesOf}.`,
    "",
    ...tableBy("service", Object.entries(parts)),
    "",
    ...tableBy(
      "reason",
      drivers(load, present).map(({ name, parts }) => [name, totalOf(parts)]),
    ),
    ...(businesses > most
      ? [
          "",
          {
            style: "yellow",
            text: `The workers of prod can serve ${most.toLocaleString("en-US")} CRBs at most.`,
          } as const,
        ]
      : []),
  ];
}

if (import.meta.main) {
  const { crbs } = parseOrExit(
    newProgram(
      "npm run costs --",
      "Updates the cost tables in docs/costs.md. Prints the price of a business, its reasons, the ways to copy the table, and how many businesses a stage can serve.",
    ).option(
      "--crbs <N>",
      "instead, prints the costs of a month with N businesses, and changes no file",
      integer("--crbs", 1, 1_000_000),
    ),
  ).opts();
  if (crbs !== undefined) write(process.stdout, ...costLines(crbs, process.stdout));
  else {
    writeFileSync(document, withCosts(readFileSync(document, "utf8")));
    const tables = [businessTable(), yearTable(), driverTable(), copyTable(), capacityTable()];
    process.stdout.write(`${tables.join("\n\n")}\n`);
  }
}
