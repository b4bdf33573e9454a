import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plantedDefects } from "./plantedDefects.ts";

test.each(plantedDefects)(
  "the source code into which a defect is planted has not changed: $name",
  ({ file, replacements }) => {
    const source = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
    expect(replacements.length).toBeGreaterThan(0);
    for (const [before] of replacements) expect(source.split(before), before).toHaveLength(2);
  },
);
