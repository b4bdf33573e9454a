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
}
