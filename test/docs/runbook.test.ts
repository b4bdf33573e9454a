import { expect, test } from "vitest";
import { beginnings, meantBy } from "../emulated/runbookSteps.ts";
import { runbookCommands } from "../runbookCommands.ts";

test("every command that the runbook prints is walked on the emulator, or is left out for a reason", () => {
  const commands = runbookCommands();
  expect(commands.length).toBeGreaterThan(30);
  const meant = commands.map((command) => meantBy(command, beginnings));
  expect(commands.filter((_, i) => meant[i] === undefined)).toEqual([]);
  expect(beginnings.filter((each) => meant.filter((other) => other === each).length !== 1)).toEqual([]);
});
