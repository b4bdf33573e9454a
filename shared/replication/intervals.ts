import * as z from "zod";
import { type RecordKind, recordKinds } from "../kinds.ts";

const intervals = z.record(z.enum(recordKinds), z.number().positive());

/** Seconds from one replication of a kind of records to the next, by the stage: REPLICATE_EVERY_SECONDS, as JSON. */
export function replicationIntervals(): Readonly<Record<RecordKind, number>> {
  return intervals.parse(JSON.parse(process.env.REPLICATE_EVERY_SECONDS ?? "{}"));
}
