/** What a program that `peakMemoryOf` runs tells at its end. */
export function tellPeakMemory(): void {
  process.stdout.write(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024 }));
}
