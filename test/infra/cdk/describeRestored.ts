import { describe, expect, test } from "vitest";
import { type Assembled, functionsOf, restoredTable, type Template } from "./assembled.ts";

/** A stage whose table was restored into another one, which the stacks then use. */
export function describeRestored(assembled: () => Assembled): void {
  describe("a stage on a restored table", () => {
    const stack = (name: string): Template => assembled().restored[name] ?? expect.fail();
    const others = ["Workers", "functions/customers", "Monitoring"];

    test("keeps its own table unchanged", () => {
      const before = assembled().templates.prod.Data ?? expect.fail();
      expect(stack("Data").all("DynamoDB::Table")).toEqual(before.all("DynamoDB::Table"));
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

  describe.each(["sandbox", "prod"] as const)("%s with the parameter of a pause", (stage) => {
    const templates = () => assembled().templates[stage];

    test("runs no function, and takes no messages from queues", () => {
      for (const name of ["Workers", "Api"] as const) {
        const functions = functionsOf(templates(), name);
        expect(functions.length).toBeGreaterThan(8);
        for (const { ReservedConcurrentExecutions, Description } of functions)
          expect(ReservedConcurrentExecutions["Fn::If"].slice(0, 2), Description).toEqual(["IsPaused", 0]);
      }
      const mappings = templates().Workers?.properties("Lambda::EventSourceMapping") ?? [];
      expect(mappings).toHaveLength(8);
      for (const { Enabled } of mappings) expect(Enabled).toEqual({ "Fn::If": ["IsPaused", false, true] });
    });

    test("runs without it, and passes it to the nested stacks", () => {
      for (const name of ["Workers", "Api"]) {
        const { json } = templates()[name] ?? expect.fail(name);
        const { Parameters, Conditions } = json as unknown as Record<string, Record<string, object>>;
        expect(Parameters?.Paused).toEqual({ Type: "String", Default: "no", AllowedValues: ["yes", "no"] });
        if (name === "Workers") expect(Conditions?.IsPaused).toEqual({ "Fn::Equals": [{ Ref: "Paused" }, "yes"] });
      }
      const nested = templates().Api?.properties("CloudFormation::Stack") ?? [];
      expect(nested.length).toBeGreaterThan(10);
      for (const { Parameters } of nested) expect(Object.values(Parameters)).toContainEqual({ Ref: "Paused" });
    });
  });
}
