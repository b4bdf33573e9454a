import { CelEngine, TemplateFile } from "@aws/cloudformation-validate";
import { expect, test } from "vitest";
import { assemble } from "./assembled.ts";

test("the templates of every stage are valid CloudFormation", async () => {
  const { files, templates } = await assemble();
  expect(files).toHaveLength(Object.values(templates).flatMap((stacks) => Object.keys(stacks)).length);
  const engine = new CelEngine();
  try {
    for (const file of files) {
      const { diagnostics } = engine.validateStandard(new TemplateFile(file), { severityLevel: "ERROR" });
      expect(diagnostics, file).toEqual([]);
    }
  } finally {
    engine.free();
  }
}, 300_000);
