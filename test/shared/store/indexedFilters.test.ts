import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { customerSearchQuery, salesQuery } from "../../../shared/api/parameters.ts";

// The types require an indexed field for each of these filters. Only an operator can add the index entries of records
// that are stored already.

const windows = ["last_updated_from", "last_updated_to", "start_date", "end_date"];
const filtersOf = ({ shape }: { shape: object }) =>
  Object.keys(shape).filter((name) => ![...windows, "offset", "limit"].includes(name));

interface Description {
  paths: Record<string, Record<string, { operationId?: string; parameters?: { in: string; name: string }[] }>>;
}

/** The query parameters that an operation had in any release. */
function releasedParameters(operationId: string): Set<string> {
  const releases = globSync("docs/releases/*.json").map((file): Description => JSON.parse(readFileSync(file, "utf8")));
  const operations = releases.flatMap(({ paths }) => Object.values(paths).flatMap((path) => Object.values(path)));
  const found = operations.filter((operation) => operation.operationId === operationId);
  if (found.length === 0) throw new Error(`no release has an operation ${operationId}`);
  return new Set(found.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)));
}

test.each([
  ["sales", "listSales", filtersOf(salesQuery)],
  ["customers", "searchCrbCustomers", filtersOf(customerSearchQuery)],
])("the changelog requires a rebuild of the %s for every filter that no release has", (kind, operationId, filters) => {
  const released = releasedParameters(operationId);
  const [, unreleased = ""] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  const entries = unreleased.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, " "));
  const withoutRebuild = filters.filter(
    (name) =>
      !released.has(name) &&
      !entries.some((entry) => entry.includes(`\`${name}\``) && entry.includes(`lists rebuild all ${kind}`)),
  );
  expect(filters.length).toBeGreaterThan(1);
  expect(withoutRebuild, `Name the filter and \`npm run operator -- lists rebuild all ${kind}\` in one entry`).toEqual(
    [],
  );
});
