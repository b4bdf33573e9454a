import { afterEach, describe, expect, test } from "vitest";
import { experimentalConnectorIssues } from "../../../infra/stages/experimentalConnectors.ts";
import { deployedStages, type StageSettings, settingsEnvironment, stages } from "../../../infra/stages/stages.ts";
import { isExperimental, readablePosTypes } from "../../../shared/api/pos/connectorProofs.ts";

const original = stages.prod.experimentalConnectors;
const list = (experimentalConnectors: readonly string[]) => Object.assign(stages.prod, { experimentalConnectors });
afterEach(() => void list(original));

test("no stage lists experimental connectors by default, and each stage's settings are valid", () => {
  for (const name of deployedStages) {
    expect(stages[name].experimentalConnectors).toEqual([]);
    expect(experimentalConnectorIssues(name, stages[name])).toEqual([]);
  }
  expect(settingsEnvironment("prod")).not.toHaveProperty("EXPERIMENTAL_CONNECTORS");
});

test("functions get the list as an environment variable", () => {
  list(["Alleaves", "Blaze"]);
  expect(settingsEnvironment("prod")).toMatchObject({ EXPERIMENTAL_CONNECTORS: "Alleaves,Blaze" });
});

const setting = "experimentalConnectors of stage prod in infra/stages/stages.ts";
const experimental = readablePosTypes.filter(isExperimental);
const known = `it must name only ${experimental.join(", ")}.`;
describe("a stage with real POS systems", () => {
  test.each<[string[], string[]]>([
    [experimental, []],
    [["Aleaves"], [`Remove Aleaves from ${setting}: ${known}`]],
    [["alleaves"], [`Remove alleaves from ${setting}: ${known}`]],
    [["constructor"], [`Remove constructor from ${setting}: ${known}`]],
    [
      ["Canix", "Blaze", "Metrc"],
      [
        `Remove Canix from ${setting}: its connector has the proof vendor documents and is offered without the setting.`,
        `Remove Metrc from ${setting}: ${known}`,
      ],
    ],
  ])("that lists %j has the issues %j", (listed, issues) => {
    list(listed);
    expect(experimentalConnectorIssues("prod", stages.prod)).toEqual(issues);
  });
});

test("a stage with simulated POS systems may not list any", () => {
  const settings: StageSettings = { ...stages.sandbox, experimentalConnectors: ["Alleaves"] };
  expect(experimentalConnectorIssues("sandbox", settings)).toEqual([
    "Empty experimentalConnectors of stage sandbox in infra/stages/stages.ts: the stage simulates its POS systems and offers all of them.",
  ]);
});
