import * as z from "zod";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";

const intervals = z.record(z.enum(recordKinds), z.number().positive());

/** Seconds from one replication of a kind of records to the next. */
export type Intervals = Readonly<Record<RecordKind, number>>;

/** The intervals of the stage, from the environment variable REPLICATE_EVERY_SECONDS (JSON). */
export function replicationIntervals(): Intervals {
  return intervals.parse(JSON.parse(process.env.REPLICATE_EVERY_SECONDS ?? "{}"));
}
