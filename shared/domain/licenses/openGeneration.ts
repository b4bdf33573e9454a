import type { Bucket } from "../documents/bucket.ts";
import { Generation } from "./generation.ts";

/** The generation that this process opened last. Names of generations are unique. */
let held: { name: string; generation: Promise<Generation> } | undefined;

/** Opens a generation. A process reads the index of a generation only once. */
export function openGeneration(bucket: Bucket, name: string): Promise<Generation> {
  if (held?.name === name) return held.generation;
  const opening = { name, generation: Generation.open(bucket, name) };
  held = opening;
  opening.generation.catch(() => {
    if (held === opening) held = undefined;
  });
  return opening.generation;
}
