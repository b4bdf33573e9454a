/**
 * How Node runs the functions: with small semi-spaces, by which a page of 1,000 with its products stays near 200 MB at the
 * same speed (docs/bench/notes.md), and with stacks that name the lines of the sources.
 */
export const nodeOptions = "--max-semi-space-size=2 --enable-source-maps";
