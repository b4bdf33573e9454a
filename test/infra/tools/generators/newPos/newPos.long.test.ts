import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planPos } from "../../../../../infra/tools/generators/newPos/plan.ts";
import { temporaryDirectories } from "../../../local/temporaryDirectories.ts";
import { root, useProjectCopy } from "../files/useProjectCopy.ts";

const temporaryDirectory = temporaryDirectories();

// Both business types; one with several credentials, one of them a number, and several stores.
const posTypes = ["Weave", "GrowFlow Wholesale", "BioTrack"];
const names = ["weave", "growflowWholesale", "biotrack"];

test.each([
  ["Canix", "Canix already has a connector"],
  ["dutchie wholesale", "Dutchie Wholesale already has a connector"],
  ["Cova", "Cova is not a POS type that a business can be connected to"],
  ["Manual Upload Retail", "is not a POS type that a business can be connected to"],
  ["../weave", "../weave is not a POS type"],
])("%s is rejected with one line", (wish, message) => {
  expect(() => planPos(wish, root)).toThrow(expect.objectContaining({ name: "StageError" }));
  expect(() => planPos(wish, root)).toThrow(message);
  expect(() => planPos(wish, root)).toThrow(/^[^\n]+: choose one of [^\n]*Weave\.$/);
});

test.each(["shared/pos/connectors/weave/responses.ts", "test/shared/pos/fakes/fakeWeave.ts", "docs/pos/weave.md"])(
  "a POS type is rejected if %s exists",
  (file) => {
    const project = temporaryDirectory();
    mkdirSync(join(project, file, ".."), { recursive: true });
    writeFileSync(join(project, file), "");
    expect(() => planPos("weave", project)).toThrow(`${file} already exists`);
  },
);

describe("in a copy of the project", () => {
  const project = useProjectCopy("pos");

  test("an unknown POS type is rejected with one line, and nothing is written", async () => {
    expect(await project.expectNothing("Cova")).toMatch(/^Cova is not a POS type [^\n]+\n$/);
    expect(await project.expectNothing()).toMatch(/^Missing required argument 'NAME'\. [^\n]+\n$/);
    expect(await project.expectNothing("Weave", "--color", "red")).toMatch(/^[^\n]*--color[^\n]+\n$/);
  });

  test.each([
    ["shared/api/pos/posTypes.ts", "  Weave: {", '  "Weave" : {'],
    ["shared/pos/testEndpoints.ts", "testEndpointVariables = {", "testEndpointVariables =  {"],
    ["shared/pos/connectorRegistry.ts", "/** The connectors by POS type. */", "/** By type. */"],
    [
      "shared/pos/connectorRegistry.ts",
      "export const connectorRegistry: Readonly<Record<",
      "export const connectorRegistry: Partial<Record<",
    ],
    ["test/shared/pos/fakes/systems.ts", "export const fakeSystems: Readonly<", "export const fakeSystems: Partial<"],
    ["test/shared/pos/findConnector.test.ts", "const verifying: Partial<", "const verifying: Readonly<"],
    ["docs/pos/README.md", "| POS type | Kinds of records | Proof | Page |", "| POS type | Kinds | Proof | Page |"],
    ["docs/pos/README.md", "Eleven POS systems can be read;", "Some POS systems can be read;"],
    ["README.md", "Eleven POS systems can be read;", "Some POS systems can be read;"],
    ["shared/api/pos/connectorProofs.ts", "export const connectorProofs = {", "export const connectorProofs =  {"],
  ])("nothing is written if %s lacks the place to register it", async (file, anchor, other) => {
    project.changeForNow(file, anchor, other);
    expect(await project.expectNothing("Weave")).toMatch(new RegExp(`^${file} must (have|contain) [^\n]+\n$`));
  });

  test("help names the POS types that have no connector", async () => {
    const out = await project.expectSuccess("infra/tools/generators/new.ts", "pos", "--help");
    for (const posType of posTypes) expect(out.replace(/\s+/g, " ")).toMatch(new RegExp(`: .*\\b${posType}[, ]`));
    expect(out).not.toContain("Canix");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  describe("new connectors", () => {
    const written: string[] = [];

    test.each(posTypes)("write %s", async (posType) => {
      written.push(...(await project.write(...posType.split(" "))).written);
      expect(await project.expectNothing(posType)).toMatch(
        new RegExp(`^${posType} already has a connector: [^\n]+\n$`),
      );
    });

    test("pass types, linter, and the search for dead code", async () => {
      await project.expectSuccess("infra/tools/generate/generate.ts", "client");
      await project.expectSuccess("tsc");
      const linted = written.filter((file) => !file.endsWith(".md"));
      await project.expectSuccess("biome", "check", "--error-on-warnings", ...linted);
      await project.expectSuccess("knip");
    }, 600_000);

    test("have a TODO in new files only", () => {
      project.expectMarks(written);
    });

    test("pass their own tests, and those of the whole project", async () => {
      const own = written.filter((file) => file.endsWith("records.test.ts"));
      expect(own).toHaveLength(posTypes.length);
      const whole = [
        "rules",
        "docs/posTable",
        "docs/guide/states",
        "shared/pos/findConnector",
        "functions/crbs/createCrb",
      ];
      await project.expectSuccess("vitest", "run", ...own, ...whole.map((name) => `test/${name}`));
    }, 600_000);

    /** Runs the tests of some POS systems. @returns how many passed */
    const passed = async (files: readonly string[], chosen: readonly string[]) => {
      const out = await project.expectSuccess("vitest", "run", ...files, "-t", `(${chosen.join("|")})( |:)`);
      const [, count] = /^(\d+) passed, 0 failed/m.exec(out) ?? [];
      return Number(count);
    };

    test("pass the tests of every POS", async () => {
      const files = ["shared/pos/realConnector", "infra/tools/operator/posCheck", "functions/replication/privacy"];
      const count = await passed(
        files.map((name) => `test/${name}`),
        names,
      );
      // Several tests of each.
      expect(count).toBeGreaterThan(40 * names.length);
    }, 600_000);

    test("pass chaos tests, and the tests of killed workers", async () => {
      const files = ["replicationChaos", "killedWorkers"].map((name) => `test/system/chaos/${name}.long.test.ts`);
      expect(await passed(files, ["weave"])).toBe(2);
    }, 600_000);
  });
});
