import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { enteredServiceProvider } from "../../shared/api/schemas/serviceProvider.ts";
import { runbookCommands } from "../runbookCommands.ts";
import { beginnings, meantBy } from "../system/emulated/runbookSteps.ts";

test("every command that the runbook prints is walked on the emulator, or is left out for a reason", () => {
  const commands = runbookCommands();
  expect(commands.length).toBeGreaterThan(30);
  const meant = commands.map((command) => meantBy(command, beginnings));
  expect(commands.filter((_, i) => meant[i] === undefined)).toEqual([]);
  expect(beginnings.filter((each) => meant.filter((other) => other === each).length !== 1)).toEqual([]);
});

test("the service provider that the runbook prints is one that can be created", () => {
  const [, sample = ""] =
    /```json\n(\{\n {2}"name": [\s\S]*?)```/.exec(readFileSync("docs/operations/first-service-provider.md", "utf8")) ??
    [];
  enteredServiceProvider.omit({ id: true }).parse(JSON.parse(sample));
});
