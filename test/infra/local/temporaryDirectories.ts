import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes fresh directories for a test file, all removed after its tests. Called at the top of the file. */
export function temporaryDirectories(): () => string {
  const all = mkdtempSync(join(tmpdir(), "local-stage-"));
  afterAll(() => rmSync(all, { recursive: true, force: true }));
  return () => mkdtempSync(join(all, "data-"));
}
