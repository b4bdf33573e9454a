import { readFileSync, writeFileSync } from "node:fs";
import { integer, newProgram, parseOrExit } from "../../cli/program.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import { measured } from "../../constructs/measuredUsage.ts";
import { replicationBatch } from "../../constructs/replicationBatch.ts";
import { maxBusinesses, messagesPerSecond } from "../../constructs/replicationCapacity.ts";
import { stages } from "../../stages/stages.ts";
import type { Screen } from "../operator/session.ts";
import { tableLines } from "../operator/table.ts";
import { title } from "../operator/terminal.ts";
import { prices, pricesOf } from "./prices.ts";
import { load, monthRows, type Row, things, total, type Usage } from "./usage.ts";

// `npm run costs` computes the tables in docs/costs.md from measured usage, the settings of prod, and prices.

const million = 1e6;
const entries = (usage: Usage) => Object.entries(usage) as [keyof typeof prices, number][];
const parts = ([, count, each]: Row) =>
  entries(each).map(([unit, amount]) => ({ service: prices[unit][0], dollars: count * amount * prices[unit][1] }));
const dollarsOf = (rows: readonly Row[]): number => total(rows.flatMap(parts).map(({ dollars }) => dollars));
const format = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
/** An amount with its unit; a small part of a GB in KB. */
const amountOf = (amount: number, unit: string): string =>
  unit.startsWith("GB") && unit !== "GB seconds" && amount < 0.1
    ? `${format(amount * million)} K${unit.slice(1)}`
    : `${format(amount)} ${unit}`;
const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
const table = (head: string, rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.replace(/[^|]+/g, "---"), ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");

/** The dollars of some rows by service, the largest first. */
export const byService = (rows: readonly Row[]): [service: string, dollars: number][] =>
  [...Map.groupBy(rows.flatMap(parts), ({ service }) => service)]
    .map(([service, all]): [string, number] => [service, total(all.map(({ dollars }) => dollars))])
    .sort(([, one], [, other]) => other - one);

/** The tables of docs/costs.md by name, as Markdown. */
const tables: Readonly<Record<string, () => string>> = {
  businesses: () =>
    table(
      "| Businesses | Dollars a business, as in the example | With 1 year stored | With 5 years stored |",
      [50, 1_000, 10_000].map((businesses) => [
        whole(businesses),
        ...[load.gigabytes, measured.gigabytesOfYear, 5 * measured.gigabytesOfYear].map((gigabytes) => {
          const dollars = dollarsOf(monthRows(businesses, gigabytes));
          return `${(dollars / businesses).toFixed(2)} (${whole(dollars)} a month)`;
        }),
      ]),
    ),
  units: () =>
    table(
      "| Item | Dollars | Parts |",
      things.map(([what, rows]) => [
        what,
        dollarsOf(rows).toFixed(2),
        byService(rows)
          .flatMap(([service, dollars]) => (dollars >= 0.005 ? [`${service} ${dollars.toFixed(2)}`] : []))
          .join(", "),
      ]),
    ),
  capacity: () =>
    table(
      `| Stage | \`workers.replication\` | Messages a second | Businesses, at most (${whole(3600 * messagesPerSecond(stages.prod))} messages an hour each) |`,
      (["sandbox", "prod"] as const).map((name) => {
        const { replication } = stages[name].aws.workers;
        return [
          `\`${name}\``,
          replication,
          whole((replication * replicationBatch.messages) / replicationBatch.seconds),
          whole(maxBusinesses(stages[name], stages[name].aws)),
        ];
      }),
    ),
  month: () =>
    table(
      "| Thing | Number | Each uses | Dollars |",
      monthRows(50).map((row) => [
        row[0],
        format(row[1]),
        entries(row[2])
          .map(([unit, amount]) => amountOf(amount, prices[unit][2]))
          .join("; "),
        dollarsOf([row]).toFixed(2),
      ]),
    ),
  services: () =>
    table("| Service | Dollars |", [
      ...byService(monthRows(50)).map(([name, dollars]) => [name, dollars.toFixed(2)]),
      ["all", dollarsOf(monthRows(50)).toFixed(2)],
    ]),
  prices: () =>
    table(
      "| Service | Unit | Dollars |",
      Object.values(prices).map(([service, dollars, unit]) => {
        const [shown, of] = dollars < 1e-3 ? [dollars * million, `a million ${unit}`] : [dollars, unit];
        return [service, of, String(Number(shown.toPrecision(6)))];
      }),
    ),
};

/** docs/costs.md with current tables. */
export const withCosts = (text: string): string =>
  text.replace(
    /(?<=<!-- npm run costs: (\w+) -->\n)[\s\S]*?(?=\n<!-- end -->)/g,
    (old, name: string) => tables[name]?.() ?? old,
  );

/** The costs of a month with a number of businesses, by service and by thing, for people. */
export function costLines(businesses: number, screen: Screen): Line[] {
  const rows = monthRows(businesses);
  const all: [string, number] = ["all", dollarsOf(rows)];
  const tableBy = (heading: string, by: [name: string, dollars: number][]) =>
    tableLines(screen, [...by.sort(([, one], [, other]) => other - one), all], {
      [heading]: ([name]) => name,
      "dollars a month": ([, dollars]) => dollars.toFixed(2).padStart(15),
      "dollars of one CRB": ([, dollars]) => (dollars / businesses).toFixed(4).padStart(18),
    });
  const most = maxBusinesses(stages.prod, stages.prod.aws);
  const tooMany = { style: "yellow", text: `The workers of prod can serve ${whole(most)} CRBs at most.` } as const;
  return [
    title(`A month with ${whole(businesses)} CRBs`),
    `With the load of docs/costs.md, at the prices of us-east-1 in ${pricesOf}.`,
    ...["", ...tableBy("service", byService(rows))],
    ...[
      "",
      ...tableBy(
        "thing",
        rows.map((row) => [row[0], dollarsOf([row])]),
      ),
    ],
    ...(businesses > most ? ["", tooMany] : []),
  ];
}

if (import.meta.main) {
  const program = newProgram("npm run costs --", "Updates the tables in docs/costs.md.").option(
    "--crbs <N>",
    "instead, prints the costs of a month with N businesses, and changes no file",
    integer("--crbs", 1, 1_000_000),
  );
  const { crbs } = parseOrExit(program).opts();
  const document = new URL("../../../docs/costs.md", import.meta.url);
  if (crbs !== undefined) write(process.stdout, ...costLines(crbs, process.stdout));
  else {
    writeFileSync(document, withCosts(readFileSync(document, "utf8")));
    write(process.stdout, "The tables of docs/costs.md are current. Costs of a month, by number of businesses:", "");
    write(process.stdout, ...(tables.businesses?.() ?? "").split("\n"));
  }
}
