import { existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { consentSettingIssues } from "../../../infra/stages/consentSettings.ts";
import { type StageName, type StageSettings, settingsEnvironment, stages } from "../../../infra/stages/stages.ts";

test.each(Object.keys(stages) as StageName[])("the settings of stage %s are valid", (name) => {
  expect(consentSettingIssues(name, stages[name])).toEqual([]);
});

test.each<[Partial<StageSettings>, string]>([
  [{ operatorName: "" }, "Set operatorName of stage prod in infra/stages/stages.ts to the name of the company"],
  [{ operatorName: " A" }, "Set operatorName"],
  [{ operatorName: "A\nB" }, "Set operatorName"],
  [{ operatorName: "A".repeat(101) }, "Set operatorName"],
  [{ privacyUrl: "" }, "Set privacyUrl of stage prod in infra/stages/stages.ts to the https address"],
  [{ privacyUrl: "http://example.org/privacy" }, "Set privacyUrl"],
  [{ privacyUrl: "https://" }, "Set privacyUrl"],
  [{ privacyUrl: "javascript:alert(1)" }, "Set privacyUrl"],
  [{ termsFile: "infra/stages/none.md" }, "infra/stages/none.md cannot be read."],
  [{ termsFile: "../terms.md" }, "../terms.md cannot be read."],
])("a stage with %j gets an issue with its correction", (setting, issue) => {
  expect(consentSettingIssues("prod", { ...stages.prod, ...setting })).toEqual([expect.stringContaining(issue)]);
});

test("functions that show the terms get their file, and all functions get the settings", async () => {
  expect(settingsEnvironment("prod")).toMatchObject({
    OPERATOR_NAME: stages.prod.operatorName,
    PRIVACY_URL: stages.prod.privacyUrl,
    TERMS_FILE: "infra/stages/terms.md",
  });
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "bundle-"));
  const handlers = ["onboarding/giveConsent", "customers/getCustomer"];
  await bundle(
    "sandbox",
    handlers.map((handler) => ({ handler })),
    directory,
  );
  const withFile = handlers.filter((handler) => existsSync(join(directory, handler, "infra/stages/terms.md")));
  expect(withFile).toEqual(["onboarding/giveConsent"]);
});
