import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { enteredServiceProvider } from "../../shared/api/schemas/serviceProvider.ts";
import { runbookCommands } from "../runbookCommands.ts";
import { beginnings, meantBy } from "../system/emulated/runbookSteps.ts";

test("every command of the runbook runs in a test on the emulator, or is listed with a reason why not", () => {
  const commands = runbookCommands();
  expect(commands.length).toBeGreaterThan(30);
  const meant = commands.map((command) => meantBy(command, beginnings));
  expect(commands.filter((_, i) => meant[i] === undefined)).toEqual([]);
  expect(beginnings.filter((each) => meant.filter((other) => other === each).length !== 1)).toEqual([]);
});

test("the runbook's example of a service provider can be created", () => {
  const [, sample = ""] =
    /```json\n(\{\n {2}"name": [\s\S]*?)```/.exec(readFileSync("docs/operations/first-service-provider.md", "utf8")) ??
    [];
  enteredServiceProvider.omit({ id: true }).parse(JSON.parse(sample));
});

test("the index of the runbook links every page", () => {
  const index = readFileSync("docs/operations/README.md", "utf8");
  const pages = globSync("*.md", { cwd: "docs/operations" }).filter((page) => page !== "README.md");
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test("the permissions that each AWS command of the runbook needs are listed", () => {
  const used = runbookCommands().flatMap((command) =>
    [...command.matchAll(/\baws ([a-z0-9-]+ [a-z0-9-]+)/g)].map(([, name = ""]) => name),
  );
  const page = readFileSync("docs/operations/aws-permissions.md", "utf8");
  const listed = [...page.matchAll(/^\| `([^`]+)` \| .*\S \|$/gm)].map(([, name = ""]) => name);
  expect(listed).toEqual([...new Set(used)].sort());
});
