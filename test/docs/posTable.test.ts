import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lacks } from "../../shared/api/pos/posTypes.ts";
import { kindsByName } from "../../shared/kinds.ts";
import { realPos } from "../../shared/pos/realPos.ts";

test("the table of POS systems has every POS type that is read, and the kinds that it lacks", () => {
  const [, table = ""] = readFileSync("docs/pos/README.md", "utf8").split("| POS type | Kinds it does not have | |");
  const rows = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| (`[^|]+`) \|([^|]*)\|/gm)];
  const told = rows.flatMap(([, posTypes = "", kinds = ""]) =>
    [...posTypes.matchAll(/`([^`]+)`/g)].map(([, posType = ""]) => [posType, kinds.trim()]),
  );
  const lacking = (posType: string) => Object.entries(kindsByName).filter(([, kind]) => lacks(posType, kind));
  const read = Object.keys(realPos).map((posType) => [
    posType,
    lacking(posType)
      .map(([name]) => name)
      .join(", "),
  ]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(read));
});
