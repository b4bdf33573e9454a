import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "./startedProcess.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** The project's own programs in package.json: their names, files, and first parameters. */
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file, more = ""] = /^node (?:--\S+ )*(\S+\.(?:ts|mjs))((?: [\w-]+)*)$/.exec(script) ?? [];
  return file && !/^(prepare|pretest)$/.test(name)
    ? [[name, file, more.trim().split(" ").filter(Boolean)] as const]
    : [];
});

test("the list has all programs except those that install, check and test", () => {
  expect(programs.length).toBeGreaterThan(20);
  const others = Object.keys(scripts).filter((name) => !programs.some(([program]) => program === name));
  expect(others.filter((name) => !/^(prepare|pretest|test|test:emulated|vitest|check|fix)$/.test(name))).toEqual([]);
});

test.each(programs)("npm run %s has help, and rejects an unknown parameter in one line", async (name, file, more) => {
  const started = (...parameters: string[]) => startProgram(join(root, file), [...more, ...parameters]);
  const help = started("--help");
  expect(await help.ended).toEqual({ code: 0, signal: null });
  const command = name === "start" ? "npm start" : `npm run (--silent )?${name}`;
  expect(help.out).toMatch(new RegExp(`^Usage: ${command} -- `));
  for (const line of help.out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  expect(help.err).toBe("");

  const refused = started("--hepl");
  expect([1, 2]).toContain((await refused.ended).code);
  expect([refused.out, refused.err]).toEqual(["", expect.stringMatching(/^[^\n]*--hepl[^\n]+\n$/)]);
});
