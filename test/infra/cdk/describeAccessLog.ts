import { describe, expect, test } from "vitest";
import { restoreRoleName } from "../../../infra/permissions/boundary/restoreRole.ts";
import { stageOperations } from "../../../infra/stages/stageOperations.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import type { Assembled } from "./assembled.ts";

/** The storage of the log lines of authorized requests. */
export function describeAccessLog(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the access log of %s", (stage) => {
    const stacks = () => assembled().templates[stage];

    test("can leave out the stage's roles, since people can assume none of them", () => {
      for (const template of Object.values(stacks())) {
        for (const { AssumeRolePolicyDocument } of template.properties("IAM::Role")) {
          for (const { Principal } of AssumeRolePolicyDocument.Statement) {
            const byRole = JSON.stringify(Principal.AWS ?? "");
            if (Principal.AWS) expect(byRole).toMatch(/"Fn::GetAtt":\["\w+Role[0-9A-F]{8}","Arn"\]/);
            else expect(Object.keys(Principal)).toEqual(["Service"]);
          }
        }
      }
      expect(restoreRoleName(stage, "us-west-2")).not.toMatch(/^business-data-/);
    });

    test("gets the authorized requests of every operation, and nothing else", () => {
      const found: string[] = [];
      for (const template of Object.values(stacks())) {
        for (const { FilterPattern, LogGroupName, DestinationArn } of template.properties("Logs::SubscriptionFilter")) {
          expect(FilterPattern).toBe('{ $.message = "access" }');
          expect(JSON.stringify(DestinationArn)).toContain(`:deliverystream/business-data-${stage}-access-log`);
          const functions = template.properties("Lambda::Function");
          const logged = functions.filter(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref === LogGroupName.Ref);
          found.push(...logged.map(({ Description }) => Description));
        }
      }
      expect(found.sort()).toEqual(
        stageOperations(stages[stage])
          .map(({ handler }) => `functions/${handler}.ts`)
          .sort(),
      );
    });
  });

  test("requests count as granted if their route needs a credential, and no page or preflight does", () => {
    const api = assembled().templates.prod.Api ?? expect.fail();
    const { FilterPattern, MetricTransformations, LogGroupName } = api.one("Logs::MetricFilter");
    expect(LogGroupName.Ref).toMatch(/AccessLog/);
    expect(MetricTransformations).toEqual([
      { MetricNamespace: "BusinessDataAccess/prod", MetricName: "granted requests", MetricValue: "1", DefaultValue: 0 },
    ]);
    expect(FilterPattern).toMatch(/^\{ \(\$\.status = "2\*" \|\| \$\.status = "304"\) && \$\.method != "OPTIONS" && /);
    expect(FilterPattern.length).toBeLessThanOrEqual(1024);
    const texts = (operator: string) =>
      [...FilterPattern.matchAll(new RegExp(`\\$\\.route ${operator} "([^"]*)"`, "g"))].map(([, text = ""]) => text);
    const [beginnings, excluded] = [texts("=").map((text) => text.replace(/\*$/, "")), texts("!=")];
    const isCounted = (path: string) =>
      beginnings.some((beginning) => path.startsWith(beginning)) && !excluded.includes(path);
    for (const { caller, path } of operationRegistry.flatMap(({ routes }) => [...routes]))
      expect([path, isCounted(path)]).toEqual([path, caller !== "nobody"]);
    for (const { path } of pages) expect([path, isCounted(path)]).toEqual([path, false]);
  });

  test("the mock stage has no access log, since it has no data", () => {
    const stacks = Object.values(assembled().templates.mock);
    expect(stacks.flatMap((template) => template.properties("Logs::SubscriptionFilter"))).toEqual([]);
  });
}
