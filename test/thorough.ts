/** Whether tests that repeat one check over many cases take all of them: always, except under `npm test`, which sets the mode. */
export const isThorough = process.env.MODE !== "reduced";

/** All cases if `isThorough`, otherwise `count` of them, evenly spread and including the last. */
export function sampleCases<Case>(all: readonly Case[], count: number): Case[] {
  if (count < 1 || all.length === 0) throw new Error("A test needs at least one case.");
  if (isThorough || count >= all.length) return [...all];
  return Array.from({ length: count }, (_, i) => all[Math.ceil(((i + 1) * all.length) / count) - 1] as Case);
}
