import { existsSync, readFileSync } from "node:fs";

/**
 * Prints the results of a program that `peakMemoryOf` runs; called at its end.
 * @param further other results
 */
export function tellPeakMemory(further: object = {}): void {
  process.stdout.write(JSON.stringify({ ...further, peak: peakBytes() }));
}

/** On Linux, `maxRSS` begins with the memory of the parent process; only /proc shows the process's own. */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) * 1024;
}
