/**
 * Whether tests that repeat one check over many cases take all of them, as in `npm run test:long`. `npm test` takes a few.
 */
export const isThorough = Boolean(process.env.THOROUGH);

/** All cases if `isThorough`, otherwise `count` of them, evenly spread and including the last. */
export function sampleCases<Case>(all: readonly Case[], count: number): Case[] {
  if (isThorough || count >= all.length) return [...all];
  return Array.from({ length: count }, (_, i) => all[Math.ceil(((i + 1) * all.length) / count) - 1] as Case);
}
