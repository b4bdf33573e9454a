import * as z from "zod";
import { count } from "./scalars.ts";

/** The envelope around many records (contract 9.26). */
export const listOf = <Record extends z.ZodType>(record: Record) =>
  z.strictObject({
    metadata: z.strictObject({
      total: count.describe("All matching records, before paging"),
      count: z
        .string()
        .regex(/^\d+ - \d+$/)
        .describe("Range returned, counted from 1; `0 - 0` when there is none"),
    }),
    data: z.array(record),
  });
