import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * How the functions shall run. V8 sizes its heap for the machine that it sees; without this its young generation alone
 * grows by 80 MB here, which live on as garbage (docs/bench/notes.md).
 */
const nodeOptions = ["--max-semi-space-size=2"];

/**
 * Runs a program in a process of its own.
 *
 * @param parameters handed over as JSON
 * @returns the most bytes that were resident at once, from its start to its end
 */
export async function peakMemoryOf(program: URL, parameters: object): Promise<{ peak: number }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeOptions, fileURLToPath(program), JSON.stringify(parameters)],
    {
      env: { ...process.env, POWERTOOLS_LOG_LEVEL: "SILENT" },
    },
  );
  return JSON.parse(stdout);
}

/** What such a program tells at its end. */
export function tellPeakMemory(): void {
  process.stdout.write(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024 }));
}
