import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pipelineStages } from "../../../infra/pipeline/pipelineStages.ts";
import { deployedStages } from "../../../infra/stages/stages.ts";
import { type Assembled, Template } from "./assembled.ts";
import { boundaryTemplate } from "./describeBoundary.ts";
import { pipelineTemplate } from "./describePipeline.ts";
import { summarizeStack } from "./summarizeStack.ts";

const folder = join(import.meta.dirname, "snapshots");
const stacks = [
  ...["Mock", "MockFolders"],
  ...["Data", "Recovery", "RecoveryKeys", "Monitoring", "Background", "Api", "Functions", "Workers"],
  ...["Boundary", "Pipeline"],
];

/** The reviewed resources of every stack. `docs/contributing/tests.md#snapshots-of-stacks` says how to accept a change. */
export function describeSnapshots(assembled: () => Assembled): void {
  /** The templates of a stack by stage. The stacks nested in the gateway's are one, with their folders in the ids. */
  function templatesOf(stack: string): Record<string, Template> {
    if (stack === "Boundary")
      return Object.fromEntries(deployedStages.map((stage) => [stage, boundaryTemplate(stage)]));
    if (stack === "Pipeline")
      return Object.fromEntries(pipelineStages.map((stage) => [stage, pipelineTemplate(stage)]));
    return Object.fromEntries(
      Object.entries(assembled().templates).flatMap(([stage, templates]) => {
        const template = /Functions|Folders/.test(stack) ? joinFolders(templates) : templates[stack];
        // The mock stage's folders differ from the others', which have functions for all routes.
        const name = stage === "mock" ? "MockFolders" : "Functions";
        return template && (stack === name || templates[stack]) ? [[stage, template]] : [];
      }),
    );
  }

  test.each(stacks)("the stack %s is as reviewed", async (stack) => {
    await expect(summarizeStack(templatesOf(stack))).toMatchFileSnapshot(join(folder, `${stack}.txt`));
  });

  test("every stack has a snapshot, and every snapshot a stack", () => {
    const names = Object.values(assembled().templates).flatMap((templates) => Object.keys(templates));
    const known = names.filter((name) => !name.startsWith("functions/"));
    expect(new Set(stacks)).toEqual(new Set([...known, "MockFolders", "Functions", "Boundary", "Pipeline"]));
    expect(stacks.map((stack) => `${stack}.txt`)).toEqual(expect.arrayContaining(readdirSync(folder)));
  });
}

function joinFolders(templates: Readonly<Record<string, Template>>): Template | undefined {
  const resources = Object.entries(templates).flatMap(([name, { json }]) => {
    const [, group] = name.split("functions/");
    return group ? Object.entries(json.Resources).map(([id, resource]) => [`${group}/${id}`, resource]) : [];
  });
  return resources.length > 0 ? new Template({ Resources: Object.fromEntries(resources) }) : undefined;
}
