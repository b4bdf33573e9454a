import type { Bucket } from "../documents/bucket.ts";
import { Generation } from "./generation.ts";

/** The generation that this process opened last. Names of generations are unique. */
let lastOpened: { name: string; generation: Promise<Generation> } | undefined;

/** Opens a generation. A process reads the index of a generation only once. */
export function openGeneration(bucket: Bucket, name: string): Promise<Generation> {
  if (lastOpened?.name === name) return lastOpened.generation;
  const opening = { name, generation: Generation.open(bucket, name) };
  lastOpened = opening;
  opening.generation.catch(() => {
    if (lastOpened === opening) lastOpened = undefined;
  });
  return opening.generation;
}
