import * as z from "zod";
import { count } from "./scalars.ts";

const metadata = z
  .strictObject({
    total: count.describe("All matching records, before paging"),
    count: z
      .string()
      .regex(/^\d+ - \d+$/)
      .describe("Range returned, counted from 1; `0 - 0` when there is none"),
  })
  .meta({ id: "ListMetadata", description: "Where the page stands in the list" });

/**
 * The envelope of a list (docs/spec.md#lists), named after its records: `CustomerList`. One for each kind of record.
 */
export const listOf = <Record extends z.ZodType>(record: Record) =>
  z
    .strictObject({ metadata, data: z.array(record).describe("The records of the page") })
    .meta({ id: `${record.meta()?.id}List`, description: "A page of a list" });
