import { CelEngine, TemplateFile } from "@aws/cloudformation-validate";
import { expect, test } from "vitest";
import { assemble } from "./assembled.ts";

test("the templates of every stage are valid CloudFormation", async () => {
  const { files } = await assemble();
  expect(files).toHaveLength(9);
  const engine = new CelEngine();
  try {
    for (const file of files) {
      const { diagnostics } = engine.validateStandard(new TemplateFile(file), { severityLevel: "ERROR" });
      expect(diagnostics, file).toEqual([]);
    }
  } finally {
    engine.free();
  }
});
