import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** The fields of a command's `--json` that the runbook promises, in order. */
export function promised(command: string): string[] {
  const runbook = readFileSync(new URL("../../../../docs/operations/operator-lists.md", import.meta.url), "utf8");
  const [, fields] = new RegExp(`^\\| \`${command}\`[^|]*\\| (.*) \\|$`, "m").exec(runbook) ?? [];
  // The text in brackets explains the field before it.
  return (fields ?? expect.fail(`no row of ${command}`))
    .replaceAll(/\([^)]*\)/g, "")
    .match(/`\w+`/g)
    ?.map((name) => name.slice(1, -1)) as string[];
}
