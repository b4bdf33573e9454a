import { type FunctionSize, functionSizes } from "./functionSizes.ts";

/**
 * Node's options for a function size. Small semi-spaces keep a page of 1,000 records with its products near 200 MB at
 * the same speed (docs/bench/notes.md). The old space gets V8's default for this memory: Lambda sets neither option
 * once one is set. Source maps give stack traces the lines of the sources.
 */
export const nodeOptions = (size: FunctionSize): string =>
  `--max-semi-space-size=2 --max-old-space-size=${functionSizes[size].memory / 2} --enable-source-maps`;
