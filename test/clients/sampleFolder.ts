import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inject } from "vitest";

/**
 * Creates a folder for samples of the guides, which can import the project's packages and the client in TypeScript.
 * @param prefix the beginning of its name
 */
export function sampleFolder(prefix: string): string {
  const parent = mkdtempSync(join(inject("temporaryDirectory"), prefix));
  const client = join(parent, "node_modules", "cannabis-business-data-client");
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, "package.json"), JSON.stringify({ type: "module", exports: "./index.ts" }));
  // Node resolves the link, and runs the sources.
  symlinkSync(resolve("clients/typescript/index.ts"), join(client, "index.ts"));
  const folder = join(parent, "samples");
  mkdirSync(folder);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}
