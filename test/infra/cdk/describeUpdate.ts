import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Assembled } from "./assembled.ts";

/** A deployment can change an existing stage and be rolled back. */
export function describeUpdate(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the stacks of %s", (stage) => {
    const templates = () => Object.entries(assembled().templates[stage]);

    test("have templates without indentation, which have a limit of 1 MB", () => {
      for (const file of assembled().files) expect(readFileSync(file, "utf8").trimEnd(), file).not.toContain("\n");
    });

    test("export only the buckets of documents and of the access log, which no release removes", () => {
      const exported = templates().flatMap(([, { json }]) =>
        Object.values(json.Outputs ?? {}).flatMap(({ Export, Value }) => (Export ? [JSON.stringify(Value)] : [])),
      );
      expect(exported).toHaveLength(4);
      for (const value of exported) expect(value).toMatch(/"(Documents|AccessRecords)\w+"/);
    });

    test("import only the buckets of documents and of the access log", () => {
      for (const [name, { json }] of templates()) {
        for (const [, imported] of JSON.stringify(json).matchAll(/"Fn::ImportValue":("[^"]*"|.)/g)) {
          expect(imported, name).toMatch(/^"business-data-\w+-data:ExportsOutput\w*(Documents|AccessRecords)/);
        }
      }
    });
  });
}
