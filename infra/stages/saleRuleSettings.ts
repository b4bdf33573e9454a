import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { states } from "../../shared/api/enumerations.ts";
import { saleRule } from "../../shared/api/schemas/saleRule.ts";
import { checks, unitTexts } from "../../shared/saleChecks/checks.ts";
import { everyKind } from "../../shared/saleChecks/productKinds.ts";
import { releasedRules, type StageRules } from "../../shared/saleChecks/saleRules.ts";
import type { StageName, StageSettings } from "./stages.ts";

const root = join(import.meta.dirname, "../..");

/** Own rules of a stage, at most. */
const maxRules = 200;

const ids = new Set(releasedRules.map(({ id }) => id));

const limits = ["transaction_limit", "daily_limit"];
/** The units that a check reads; one that is not listed has none. */
const units: Readonly<Record<string, readonly string[]>> = {
  minimum_age: ["years"],
  sale_hours: ["local_time"],
  implausible_weight: ["g_per_cartridge", "g_per_edible"],
  ...Object.fromEntries(limits.map((check) => [check, Object.keys(unitTexts)])),
};
/** The amounts that count as flower. */
const equivalents = ["g_flower", "g_concentrate", "g_thc_concentrate", "mg_thc"];
const frame = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[0-3]\d|4[0-7]):[0-5]\d$/;

/** An own rule is enabled by being in the file. Its lawyer answers for it, so one source is enough. */
const ownRule = saleRule
  .refine(({ state, id }) => state === null || (states.includes(state) && id.startsWith(`${state}.`)), {
    path: ["id"],
    error: "must begin with the state and a point",
  })
  .refine(({ check, enabled }) => !enabled || Object.hasOwn(checks, check) || check === "identification", {
    path: ["check"],
    error: `must be identification or one of ${Object.keys(checks).join(", ")}`,
  })
  .refine(({ enabled, state, sources }) => !enabled || state === null || sources.length > 0, {
    path: ["sources"],
    error: "must name at least one source",
  })
  .refine(({ from, to }) => to === null || from <= to, { path: ["to"], error: "must not be before from" })
  .refine(({ enabled, why_not }) => enabled === (why_not === null), {
    path: ["why_not"],
    error: "must be null exactly if the rule is enabled",
  })
  .refine(
    ({ enabled, check, value }) =>
      !enabled ||
      (check === "sale_hours"
        ? isFrame(String(value))
        : !needsNumber(check) || (typeof value === "number" && value > 0)),
    { path: ["value"], error: "must be a number above 0, or for sale_hours a frame such as 06:00-22:00" },
  )
  // A misspelled unit or kind would leave sales unchecked without an error.
  .check(({ value: { enabled, check, unit, equivalence, not_limited }, issues }) => {
    if (!enabled) return;
    const add = (path: string, allowed: readonly string[]) =>
      issues.push({ code: "custom", input: check, path: [path], message: `must be ${allowed.join(" or ")}` });
    const known = units[check];
    if (!(known ? known.includes(unit ?? "") : unit === null)) add("unit", known ?? ["null"]);
    const amounts = Object.entries(equivalence ?? {});
    const isOfGrams = limits.includes(check) && unit?.startsWith("g_");
    if (!isOfGrams && equivalence !== null) add("equivalence", ["null"]);
    const isMissing = unit === "g_flower_equivalent" && amounts.length === 0;
    if (isMissing || !amounts.every(([name, amount]) => equivalents.includes(name) && amount > 0)) {
      add("equivalence", [`an object of numbers above 0 with ${equivalents.join(", ")}`]);
    }
    if (!limits.includes(check) && not_limited !== null) add("not_limited", ["null"]);
    if (!(not_limited ?? []).every((kind) => (everyKind as readonly string[]).includes(kind))) {
      add("not_limited", [`a list of ${everyKind.join(", ")}`]);
    }
  });

/** Whether a text is a frame of local times whose end, maybe of the next day, is after its start. */
function isFrame(text: string): boolean {
  const [from = "", to = ""] = text.split("-");
  return frame.test(text) && from < to;
}

const needsNumber = (check: string): boolean =>
  ["minimum_age", "transaction_limit", "daily_limit", "implausible_weight"].includes(check);

const stageRules = z.strictObject({
  disable: z.array(z.string().refine((id) => ids.has(id), { error: "must be the id of a rule of the release" })),
  rules: z
    .array(ownRule)
    .max(maxRules)
    .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, { error: "must not repeat an id" }),
});

/** What the stage changes of the rules of the release; nothing if it names no file. */
export function readStageRules({ saleRulesFile }: Pick<StageSettings, "saleRulesFile">): StageRules {
  if (saleRulesFile === undefined) return { disable: [], rules: [] };
  return stageRules.parse(JSON.parse(readFileSync(join(root, saleRulesFile), "utf8"))) as unknown as StageRules;
}

/** The errors in a stage's file of sale rules, each with its place; empty if there are none. */
export function saleRuleIssues(name: StageName, settings: Pick<StageSettings, "saleRulesFile">): string[] {
  const { saleRulesFile: file } = settings;
  if (file === undefined) return [];
  if (isAbsolute(file) || file.split("/").includes("..")) {
    return [`Set saleRulesFile of stage ${name} to the path of a file in this project, not ${file}.`];
  }
  try {
    readStageRules(settings);
    return [];
  } catch (error) {
    if (!(error instanceof z.ZodError)) {
      return [`Set saleRulesFile of stage ${name} to a JSON file in this project: ${file} cannot be read as JSON.`];
    }
    return error.issues.map(
      ({ path, message }) => `Correct ${file}, the sale rules of stage ${name}: ${path.join(".")} ${message}.`,
    );
  }
}
