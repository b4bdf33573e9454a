import { type FunctionSize, functionSizes } from "./functionSizes.ts";

/**
 * Node's options for a function size. Small semi-spaces keep the memory for a page of 1,000 records with their products
 * near 200 MB, without loss of speed (docs/bench/notes.md). The options also set the old space to V8's default size for
 * this memory: Lambda sets neither size if the options set one of them. With source maps, stack traces show the lines
 * of the source files.
 */
export const nodeOptions = (size: FunctionSize): string =>
  `--max-semi-space-size=2 --max-old-space-size=${functionSizes[size].memory / 2} --enable-source-maps`;
