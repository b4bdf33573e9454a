import { readFileSync } from "node:fs";

/**
 * Commands that docs/operations.md shows, in its order: each block of shell, and each inline command with parameters;
 * each once.
 */
export function runbookCommands(): string[] {
  const runbook = readFileSync(new URL("../docs/operations.md", import.meta.url), "utf8");
  const printed = /^( *)```sh\n([\s\S]*?)^ *```|`((?:npm run \S+\s+--\s|aws\s)[^`]+)`/gm;
  const commands = [...runbook.matchAll(printed)].map(([, indent = "", block, inline = ""]) =>
    block === undefined ? inline.replaceAll(/\s+/g, " ") : block.replaceAll(new RegExp(`^${indent}`, "gm"), "").trim(),
  );
  return [...new Set(commands)];
}
