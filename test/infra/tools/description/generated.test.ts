import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../../../../infra/tools/description/generated.ts";

test("the committed description and its types are those of the operation registry", async () => {
  for (const [file, text] of Object.entries(await generated())) {
    expect(readFileSync(file, "utf8") === text, `${file} is stale: npm run openapi`).toBe(true);
  }
});
