import { afterEach, beforeEach, vi } from "vitest";
import { log } from "../shared/platform/aws/log.ts";

/**
 * Collects what the code under test prints, instead of printing it, and logs at a level. After each test, mocks and stubbed
 * variables are as before.
 *
 * @returns the text printed since the beginning of the test; a test may set it back to ""
 */
export function useOutput(level: "DEBUG" | "INFO"): { text: string } {
  const output = { text: "" };
  const print = (chunk: unknown) => {
    output.text += String(chunk);
    return true;
  };
  beforeEach(() => {
    output.text = "";
    log.setLogLevel(level);
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(print);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    log.setLogLevel("SILENT");
  });
  return output;
}
