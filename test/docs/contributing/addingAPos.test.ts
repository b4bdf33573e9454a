import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Files that name Canix as an example of a POS type, not to register it. */
const examples = ["test/shared/pos/posConfigStatus.test.ts", "docs/pos/README.md"];

test("the guide names every file to copy or to change: those that name Canix, the connector to copy", () => {
  const guide = readFileSync("docs/contributing/adding-a-pos.md", "utf8");
  const [, section = ""] = /^## Copy a connector\n([\s\S]*?)^## /m.exec(guide) ?? [];
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));
  const files = globSync("{shared,docs/pos,test/shared/pos}/**/*.{ts,md}").filter((file) =>
    /canix/i.test(file + readFileSync(file, "utf8")),
  );
  const registered = files.filter((file) => !examples.includes(file));
  const canix = named.map((path) => path.replace("fakeNAME", "fakeCanix").replaceAll("NAME", "canix"));
  expect(canix.filter((path) => !examples.includes(path)).sort()).toEqual(registered.sort());
});
