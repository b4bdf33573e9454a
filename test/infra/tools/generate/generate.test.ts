import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareFiles } from "../../../../infra/tools/generate/committedFiles.ts";
import { committed } from "../../../../infra/tools/generate/generate.ts";

describe.each(Object.entries(committed))("%s", (_, { texts, folder }) => {
  test("the files in version control are those that are generated", async () => {
    expect(compareFiles(await texts(), folder)).toEqual({ stale: [], obsolete: [] });
  });

  test("a changed, a missing and a superfluous file are reported", async () => {
    const generated = await texts();
    const [path = "", ...others] = generated.keys();
    const changed = new Map(generated).set(path, `${readFileSync(path, "utf8")} `).set("docs/missing.json", "{}");
    expect(compareFiles(changed, folder)).toEqual({ stale: [path, "docs/missing.json"], obsolete: [] });
    if (folder) expect(compareFiles(new Map([[path, ""]]), folder).obsolete.toSorted()).toEqual(others.toSorted());
  });
});
