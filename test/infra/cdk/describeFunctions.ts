import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reservedInstances } from "../../../infra/constructs/functionSizes.ts";
import { type AwsSettings, stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { type Assembled, functionsOf, type Properties } from "./assembled.ts";

/** The properties of a function, by its handler's file. */
export function functionOf({ templates }: Assembled, stage: "sandbox" | "prod", handler: string): Properties {
  const description = `functions/${handler}.ts`;
  const all = (["Api", "Workers"] as const).flatMap((stack) => functionsOf(templates[stage], stack));
  return all.find(({ Description }) => Description === description) ?? expect.fail(`no function ${handler}`);
}

/** Every function of a stage. */
export function describeFunctions(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the functions of %s", (stage) => {
    const functions = (stack: "Api" | "Workers") => functionsOf(assembled().templates[stage], stack);

    test("respond before the gateway's timeout of 29 s", () => {
      for (const { Timeout, Description } of functions("Api")) expect(Timeout, Description).toBeLessThan(29);
    });

    test("have the table, except for those of the pages that read nothing", () => {
      const readNothing = pages.filter(({ permissionSets }) => !permissionSets).map(({ handler }) => handler);
      for (const { Description, Environment } of [...functions("Api"), ...functions("Workers")])
        expect("TABLE_NAME" in Environment.Variables).toBe(
          !readNothing.some((each) => Description.includes(`/${each}.`)),
        );
    });

    test("keep logs as long as the stage sets, also after their stack, without blocking the names for a later stack", () => {
      const stacks = Object.values(assembled().templates[stage]);
      const groups = stacks.flatMap((template) => Object.values(template.all("Logs::LogGroup")));
      expect(groups.length).toBeGreaterThan(30);
      for (const { Properties, DeletionPolicy } of groups) {
        expect(Properties.RetentionInDays).toBe(stages[stage].aws.logDays);
        expect(DeletionPolicy).toBe("RetainExceptOnCreate");
        // CloudFormation chooses the name, or it contains the stack's id or such a name.
        expect(JSON.stringify(Properties.LogGroupName ?? "AWS::StackId")).toMatch(/AWS::StackId|"Ref":"AccessLog/);
      }
    });

    test("reserve the concurrency that a deployment checks beforehand, and leave the rest that AWS requires", () => {
      const aws: AwsSettings = stages[stage].aws;
      const all = [...functions("Api"), ...functions("Workers")];
      const kept = all.reduce((sum, each) => sum + (reservedBy(each) ?? 0), 0);
      expect(reservedInstances(aws, operationRegistry)).toBe(kept);
      if (kept > 0) expect(aws.accountConcurrency).toBeGreaterThanOrEqual(kept + 100);
    });
  });

  test("the folder of every function holds its bundle and the source map", () => {
    const { assets, templates } = assembled();
    for (const stack of ["Api", "Workers"] as const) {
      for (const { Code, Description } of functionsOf(templates.sandbox, stack)) {
        const folder = join(assets, `asset.${Code.S3Key.replace(/\.zip$/, "")}`);
        expect(existsSync(join(folder, "index.mjs")), Description).toBe(true);
        expect(existsSync(join(folder, "index.mjs.map")), Description).toBe(true);
      }
    }
  });
}

/** The concurrency that a function reserves while the stage is not paused; undefined if it reserves none. */
function reservedBy({ ReservedConcurrentExecutions }: Properties): number | undefined {
  const [condition, paused, running] = ReservedConcurrentExecutions["Fn::If"];
  expect([condition, paused]).toEqual(["IsPaused", 0]);
  return typeof running === "number" ? running : undefined;
}
