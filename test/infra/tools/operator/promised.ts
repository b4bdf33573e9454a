import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** The fields that the runbook promises of a command's `--json`, in their order. */
export function promised(command: string): string[] {
  const runbook = readFileSync(new URL("../../../../docs/operations/operator-lists.md", import.meta.url), "utf8");
  const [, fields] = new RegExp(`^\\| \`${command}\`[^|]*\\| (.*) \\|$`, "m").exec(runbook) ?? [];
  // What stands in brackets explains the field before.
  return (fields ?? expect.fail(`no row of ${command}`))
    .replaceAll(/\([^)]*\)/g, "")
    .match(/`\w+`/g)
    ?.map((name) => name.slice(1, -1)) as string[];
}
