import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stages } from "../../../../infra/stages/stages.ts";
import { parseIncidents } from "../../../../shared/web/status/incidents.ts";
import { statusSources } from "../../../../shared/web/status/statusFiles.ts";

test("the project's file of incidents is valid, and names only stages that exist", () => {
  const text = readFileSync(statusSources.incidents, "utf8");
  const names = Object.keys(JSON.parse(text));
  expect(Object.keys(stages)).toEqual(expect.arrayContaining(names));
  for (const name of names) parseIncidents(text, name, new Date());
});

test.each([
  "",
  "[]",
  '{"prod":[{"title":""}]}',
  '{"prod":[{"title":"x","began":"yesterday","ended":null,"updates":[]}]}',
])("an invalid file is rejected: %s", (text) => {
  expect(() => parseIncidents(text, "prod", new Date())).toThrow();
});
