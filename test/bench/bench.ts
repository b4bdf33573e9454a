import type { Table } from "../../shared/store/client.ts";
import type { DataSets } from "./data/dataSets.ts";

/** One row of the result; `bar` is null if a figure has none and is only reported. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  bar: string | null;
  holds: boolean;
}

/** The limit that a figure must keep. */
export type Bar = { atMost: number } | { atLeast: number };

/** A table, and the environment in which a separate process works on it. */
export interface Scratch {
  table: Table;
  environment: NodeJS.ProcessEnv;
}

/** The inputs of a group of figures, and the functions that receive its results. */
export interface Bench {
  /** The table with the kept lists, which the functions in this process use. Figures only read it. */
  table: Table;
  /** The table to which figures write: empty at first, and deleted after the run. */
  scratch: Scratch;
  /** Records of the biggest list. */
  records: number;
  data: DataSets;
  figure(name: string, value: number, unit: string, bar?: Bar): void;
  progress(text: string): void;
}

/** The list sizes of a run: powers of ten from `least` on, and the biggest list itself. */
export function listSizes(records: number, least: number): number[] {
  const sizes = new Set([records]);
  for (let size = least; size < records; size *= 10) sizes.add(size);
  return [...sizes].sort((a, b) => a - b);
}

/** A count as the names of figures show it, such as "100,000". */
export const count = (value: number): string => value.toLocaleString("en-US");

/** The median; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
