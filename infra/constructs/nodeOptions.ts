import { type FunctionSize, functionSizes } from "./functionSizes.ts";

/**
 * How Node runs the functions of a size: with small semi-spaces, by which a page of 1,000 with its products stays near
 * 200 MB at the same speed (docs/bench/notes.md); with as much room for what lives longer as V8 gives itself on a machine
 * of this memory, said because Lambda's own start says neither once one is said; and with stacks that name the lines of
 * the sources.
 */
export const nodeOptions = (size: FunctionSize): string =>
  `--max-semi-space-size=2 --max-old-space-size=${functionSizes[size].memory / 2} --enable-source-maps`;
