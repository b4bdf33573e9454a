import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives a test file's process the service key 000102…1f, and removes it after its tests. */
export const useTestServiceKey = () => useTestKey("SERVICE_KEY_FILE", 0);

/** The same with a separate sealing key. */
export const useTestSealingKey = () => useTestKey("SEALING_KEY_FILE", 100);

/** The same with the key for digests of invited addresses. */
export const useTestAddressKey = () => useTestKey("ADDRESS_KEY_FILE", 200);

function useTestKey(variable: string, first: number): void {
  const directory = mkdtempSync(join(tmpdir(), "test-key-"));
  const file = join(directory, "test.key");
  const bytes = Array.from({ length: 32 }, (_, byte) => first + byte);
  writeFileSync(file, Buffer.from(bytes).toString("hex"), { mode: 0o600 });
  process.env[variable] = file;
  afterAll(() => {
    delete process.env[variable];
    rmSync(directory, { recursive: true });
  });
}
