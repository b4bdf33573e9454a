import { rmSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { runHere } from "../local/runHere.ts";

// Each program of a deployment checks the settings of its stage. The rules of each setting have tests of their own.

const ownFile = "infra/stages/ownTermsOfTest.md";
const original = { ...stages.prod };
afterEach(() => {
  Object.assign(stages.prod, original);
  rmSync(ownFile, { force: true });
});

test.each<[string, Partial<StageSettings>, string]>([
  [
    "whose terms do not name every stored field",
    { termsFile: ownFile },
    "Correct infra/stages/ownTermsOfTest.md, the terms of stage prod: it does not name customer.first_name (“first name”)",
  ],
  [
    "with an experimental connector of an unknown name",
    { experimentalConnectors: ["Aleaves"] },
    "Remove Aleaves from experimentalConnectors of stage prod in infra/stages/stages.ts: it must name only ",
  ],
  [
    "whose address limit is above a quarter of its throttle",
    { aws: { ...original.aws, requestsPerAddress: 30_000 } },
    "Lower requestsPerAddress of stage prod in infra/stages/stages.ts to ",
  ],
])("synth rejects a stage %s", async (_, settings, begins) => {
  writeFileSync(
    ownFile,
    "Version: 1\n\n# Terms\n\n- One.\n- Two.\n- Three.\n\n# More\n\n{operatorName} {privacyUrl} {retention} {intervals}\n\n{storedAsIs}\n",
  );
  Object.assign(stages.prod, settings);
  const { code, err } = await runHere(deploy, ["synth", "--stage", "prod", "--output", "/nowhere/out"]);
  expect([code, err.slice(0, begins.length)]).toEqual([1, begins]);
});

test("deploy rejects a prod stage without its own operator and privacy notice", async () => {
  const own = { appUrl: "https://app.example.org/connect", mailFrom: "a@example.org", supportEmail: "b@example.org" };
  Object.assign(stages.prod, own);
  const { code, err } = await runHere(deploy, ["deploy", "--stage", "prod", "--yes"]);
  expect([code, err]).toEqual([
    1,
    "Set operatorName, privacyUrl of stage prod in infra/stages/stages.ts: example.com and Example, Inc. are placeholders.\n",
  ]);
});
