import { existsSync, readFileSync } from "node:fs";

/**
 * What a program that `peakMemoryOf` runs tells at its end.
 *
 * @param further what else it tells
 */
export function tellPeakMemory(further: object = {}): void {
  process.stdout.write(JSON.stringify({ ...further, peak: peakBytes() }));
}

/** Linux's `maxRSS` begins with what the process had that started this one; its own memory is told here alone. */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) * 1024;
}
