import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes empty directories for a test file, and removes them after its tests. Call it at the top of the file. */
export function temporaryDirectories(): () => string {
  const all = mkdtempSync(join(tmpdir(), "local-stage-"));
  afterAll(() => rmSync(all, { recursive: true, force: true }));
  return () => mkdtempSync(join(all, "data-"));
}
