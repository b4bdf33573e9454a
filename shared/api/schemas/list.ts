import * as z from "zod";
import { count } from "./scalars.ts";

const metadata = z
  .strictObject({
    total: count.describe("Number of all matching records"),
    count: z
      .string()
      .regex(/^\d+ - \d+$/)
      .describe("Range of the returned records, counted from 1; `0 - 0` if there are none"),
  })
  .meta({ id: "ListMetadata", description: "Position of the page in the list" });

/**
 * The envelope of a list (docs/spec.md#lists), named after its records: `CustomerList`. Each kind of record has one
 * envelope.
 */
export const listOf = <Record extends z.ZodType>(record: Record) =>
  z
    .strictObject({ metadata, data: z.array(record).describe("The records of the page") })
    .meta({ id: `${record.meta()?.id}List`, description: "A page of a list" });
