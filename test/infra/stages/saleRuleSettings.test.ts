import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readStageRules, saleRuleIssues } from "../../../infra/stages/saleRuleSettings.ts";
import { releasedRules, withStageRules } from "../../../shared/saleChecks/saleRules.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(root, "node_modules/.sale-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The setting that names a file with this content. */
function fileOf(content: unknown): { saleRulesFile: string } {
  const path = join(folder, "rules.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return { saleRulesFile: relative(root, path) };
}

const massachusetts = releasedRules.find(({ id }) => id === "MA.adult.daily_flower.2026") ?? expect.fail();
const ruleOf = (check: string) => releasedRules.find((rule) => rule.check === check && rule.enabled) ?? expect.fail();
const hours = ruleOf("sale_hours");
const free = ruleOf("free_product");
const enabled = { ...massachusetts, enabled: true, why_not: null };

test("a stage switches a rule off, and enables one that the release keeps off", () => {
  const settings = fileOf({ disable: ["CA.all.sale_hours"], rules: [enabled] });
  expect(saleRuleIssues("prod", settings)).toEqual([]);
  const rules = withStageRules(releasedRules, readStageRules(settings));
  expect(rules).toHaveLength(releasedRules.length);
  const of = (id: string) => rules.filter((rule) => rule.id === id).map((rule) => [rule.enabled, rule.why_not]);
  expect(of("CA.all.sale_hours")).toEqual([[false, "switched off on this stage"]]);
  expect(of(massachusetts.id)).toEqual([[true, null]]);
});

test("each enabled rule of the release could be a rule of a stage", () => {
  const rules = releasedRules.filter((rule) => rule.enabled);
  expect(saleRuleIssues("prod", fileOf({ disable: [], rules }))).toEqual([]);
});

test("a stage without a file has the rules of the release", () => {
  expect(saleRuleIssues("prod", {})).toEqual([]);
  expect(withStageRules(releasedRules, readStageRules({}))).toEqual(releasedRules);
});

test.each<[string, unknown, RegExp]>([
  ["no JSON", "{", /cannot be read as JSON/],
  ["an unknown id", { disable: ["CA.none"], rules: [] }, /disable\.0 must be the id of a rule/],
  [
    "another state's id",
    { disable: [], rules: [{ ...enabled, state: "NY" }] },
    /rules\.0\.id must begin with the state/,
  ],
  ["an unknown check", { disable: [], rules: [{ ...enabled, check: "mood" }] }, /rules\.0\.check must be/],
  ["no source", { disable: [], rules: [{ ...enabled, sources: [] }] }, /rules\.0\.sources must name at least one/],
  ["an end before its start", { disable: [], rules: [{ ...enabled, to: "2020-01-01" }] }, /rules\.0\.to must not be/],
  [
    "a limit that is no number",
    { disable: [], rules: [{ ...enabled, value: "two" }] },
    /rules\.0\.value must be a number/,
  ],
  ["a frame that ends first", { disable: [], rules: [{ ...hours, value: "22:00-06:00" }] }, /rules\.0\.value must be/],
  ["no time of day", { disable: [], rules: [{ ...hours, value: "06:00-22:75" }] }, /rules\.0\.value must be/],
  [
    "a misspelled unit",
    { disable: [], rules: [{ ...enabled, unit: "g_flowers" }] },
    /rules\.0\.unit must be g_flower /,
  ],
  [
    "a unit for a check without one",
    { disable: [], rules: [{ ...free, unit: "cents" }] },
    /rules\.0\.unit must be null/,
  ],
  [
    "an unknown kind",
    { disable: [], rules: [{ ...enabled, not_limited: ["edibles"] }] },
    /rules\.0\.not_limited must be a list of flower/,
  ],
  [
    "an unknown equivalent",
    { disable: [], rules: [{ ...enabled, unit: "g_flower_equivalent", equivalence: { flower: 1 } }] },
    /rules\.0\.equivalence must be an object of numbers/,
  ],
  [
    "no equivalents",
    { disable: [], rules: [{ ...enabled, unit: "g_flower_equivalent", equivalence: null }] },
    /rules\.0\.equivalence must be an object of numbers/,
  ],
  [
    "a reason although enabled",
    { disable: [], rules: [{ ...enabled, why_not: "?" }] },
    /rules\.0\.why_not must be null/,
  ],
  ["an id twice", { disable: [], rules: [enabled, enabled] }, /rules must not repeat an id/],
  ["an unknown field", { disable: [], rules: [{ ...enabled, note: "" }] }, /rules\.0/],
  ["too many rules", { disable: [], rules: Array.from({ length: 201 }, () => enabled) }, /rules /],
])("a file with %s is rejected, and the issue names the place", (_, content, issue) => {
  expect(saleRuleIssues("prod", fileOf(content)).join("\n")).toMatch(issue);
});

test("a path outside the project is rejected", () => {
  expect(saleRuleIssues("prod", { saleRulesFile: "../rules.json" })).toHaveLength(1);
});
