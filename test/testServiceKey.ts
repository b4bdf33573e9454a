import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives a test file's process the service key 000102…1f, and takes it away after its tests. */
export function useTestServiceKey(): void {
  const directory = mkdtempSync(join(tmpdir(), "service-key-"));
  const file = join(directory, "service.key");
  writeFileSync(file, Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)).toString("hex"), { mode: 0o600 });
  process.env.SERVICE_KEY_FILE = file;
  afterAll(() => {
    delete process.env.SERVICE_KEY_FILE;
    rmSync(directory, { recursive: true });
  });
}
