import { describe, expect, test } from "vitest";
import { type Assembled, functionsOf, restoredTable, type Template } from "./assembled.ts";

/** A stage whose table was restored into another one, which the stacks then use. */
export function describeRestored(assembled: () => Assembled): void {
  describe("a stage on a restored table", () => {
    const stack = (name: string): Template => assembled().restored[name] ?? expect.fail();
    const others = ["Workers", "functions/customers", "Monitoring"];

    test("keeps its own table unchanged, and still exports the values that other stacks import until their deployment", () => {
      const before = assembled().templates.prod.Data ?? expect.fail();
      expect(stack("Data").all("DynamoDB::Table")).toEqual(before.all("DynamoDB::Table"));
      const exportsOf = ({ json }: Template) =>
        Object.entries(json.Outputs ?? {}).filter(([name]) => name.startsWith("ExportsOutput"));
      expect(exportsOf(before).length).toBeGreaterThan(5);
      expect(exportsOf(stack("Data"))).toEqual(expect.arrayContaining(exportsOf(before)));
    });

    test("uses the restored table everywhere, with all its indexes, and its own nowhere", () => {
      const [own = ""] = Object.keys(stack("Data").all("DynamoDB::Table"));
      for (const name of others) {
        expect(JSON.stringify(assembled().templates.prod[name]?.json), name).toContain(own);
        expect(JSON.stringify(stack(name).json), name).not.toContain(own);
      }
      for (const name of ["Workers", "Api"] as const) {
        for (const { Environment } of functionsOf(assembled().restored, name)) {
          expect([restoredTable, undefined]).toContain(Environment.Variables.TABLE_NAME);
        }
      }
      for (const template of [stack("Workers"), stack("functions/customers")]) {
        const policies = JSON.stringify(template.properties("IAM::Role"));
        expect(policies).toContain(`:dynamodb:us-west-2:123456789012:table/${restoredTable}`);
        expect(policies).toContain(`table/${restoredTable}/index/byRank`);
      }
      expect(JSON.stringify(stack("Monitoring").properties("CloudWatch::Alarm"))).toContain(restoredTable);
      expect(stack("Data").json.Outputs?.TableName?.Value).toBe(restoredTable);
    });
  });

  describe("a stage that is paused", () => {
    const stack = (name: string): Template => assembled().restored[name] ?? expect.fail();

    test("runs no function, and takes no messages from queues", () => {
      for (const name of ["Workers", "Api"] as const) {
        for (const { ReservedConcurrentExecutions, Description } of functionsOf(assembled().restored, name)) {
          expect(ReservedConcurrentExecutions, Description).toBe(0);
        }
      }
      for (const { Enabled } of stack("Workers").properties("Lambda::EventSourceMapping")) expect(Enabled).toBe(false);
      for (const { State } of stack("Workers").properties("Scheduler::Schedule")) expect(State).toBe("DISABLED");
    });

    test("is otherwise the same", () => {
      for (const name of ["Workers", "Api"]) {
        const ids = ({ json }: Template) =>
          Object.keys(json.Resources).filter((id) => !/Deployment|CurrentVersion/.test(id));
        expect(ids(stack(name))).toEqual(ids(assembled().templates.prod[name] ?? expect.fail()));
      }
    });
  });
}
