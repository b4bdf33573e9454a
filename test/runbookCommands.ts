import { readFileSync } from "node:fs";

/**
 * What docs/operations.md prints to be typed, in its order: each block of shell, and each command in a line of text that has
 * parameters; each once.
 */
export function runbookCommands(): string[] {
  const runbook = readFileSync(new URL("../docs/operations.md", import.meta.url), "utf8");
  const printed = /^( *)```sh\n([\s\S]*?)^ *```|`((?:npm run \S+\s+--\s|aws\s)[^`]+)`/gm;
  const commands = [...runbook.matchAll(printed)].map(([, indent = "", block, inline = ""]) =>
    block === undefined ? inline.replaceAll(/\s+/g, " ") : block.replaceAll(new RegExp(`^${indent}`, "gm"), "").trim(),
  );
  return [...new Set(commands)];
}
