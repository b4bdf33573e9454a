import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { consentSettingIssues } from "../../../infra/stages/consentSettings.ts";
import { type StageName, type StageSettings, settingsEnvironment, stages } from "../../../infra/stages/stages.ts";
import { runHere } from "../local/runHere.ts";

const ownFile = "infra/stages/ownTermsOfTest.md";
const original = { ...stages.prod };
afterEach(() => {
  Object.assign(stages.prod, original);
  rmSync(ownFile, { force: true });
});

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

test("synth rejects a stage whose terms do not name every stored field", async () => {
  writeFileSync(
    ownFile,
    "Version: 1\n\n# Terms\n\n- One.\n- Two.\n- Three.\n\n# More\n\n{operatorName} {privacyUrl} {retention} {intervals}\n\n{storedAsIs}\n",
  );
  Object.assign(stages.prod, { termsFile: ownFile });
  const { code, err } = await runHere(deploy, ["synth", "--stage", "prod", "--output", "/nowhere/out"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Correct infra\/stages\/ownTermsOfTest\.md, the terms of stage prod: it does not name customer\.first_name \(“first name”\)/,
  );
});

test("deploy rejects a prod stage without its own operator and privacy notice", async () => {
  Object.assign(stages.prod, {
    appUrl: "https://app.example.org/connect",
    mailFrom: "a@example.org",
    supportEmail: "b@example.org",
  });
  const { code, err } = await runHere(deploy, ["deploy", "--stage", "prod", "--yes"]);
  expect([code, err]).toEqual([
    1,
    "Set operatorName, privacyUrl of stage prod in infra/stages/stages.ts: example.com and Example, Inc. are placeholders.\n",
  ]);
});

test("functions that show the terms get their file, and all functions get the settings", async () => {
  expect(settingsEnvironment("prod")).toMatchObject({
    OPERATOR_NAME: stages.prod.operatorName,
    PRIVACY_URL: stages.prod.privacyUrl,
    TERMS_FILE: "infra/stages/terms.md",
  });
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "bundle-"));
  const handlers = ["onboarding/giveConsent", "onboarding/getOnboarding", "customers/getCustomer"];
  await bundle(
    "sandbox",
    handlers.map((handler) => ({ handler })),
    directory,
  );
  const withFile = handlers.filter((handler) => existsSync(join(directory, handler, "infra/stages/terms.md")));
  expect(withFile).toEqual(["onboarding/giveConsent", "onboarding/getOnboarding"]);
});
