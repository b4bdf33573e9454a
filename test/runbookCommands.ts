import { globSync, readFileSync } from "node:fs";

/**
 * The commands on the pages of docs/operations, each once, in the order of the pages: each block of shell, and each inline
 * command with parameters.
 */
export function runbookCommands(): string[] {
  const runbook = globSync("docs/operations/*.md", { cwd: new URL("..", import.meta.url) })
    .sort()
    .map((page) => readFileSync(new URL(`../${page}`, import.meta.url), "utf8"))
    .join("\n");
  const printed = /^( *)```sh\n([\s\S]*?)^ *```|`((?:npm run \S+\s+--\s|aws\s)[^`]+)`/gm;
  const commands = [...runbook.matchAll(printed)].map(([, indent = "", block, inline = ""]) =>
    block === undefined ? inline.replaceAll(/\s+/g, " ") : block.replaceAll(new RegExp(`^${indent}`, "gm"), "").trim(),
  );
  return [...new Set(commands)];
}
