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

const make = <Record extends z.ZodType>(record: Record) =>
  z
    .strictObject({ metadata, data: z.array(record).describe("The records of the page") })
    .meta({ id: `${record.meta()?.id}List`, description: "A page of a list" });

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The envelope of a list (docs/spec.md#lists), named after its records: `CustomerList`. Each kind of record has one
 * envelope, because the description has each name once.
 */
export function listOf<Record extends z.ZodType>(record: Record): ReturnType<typeof make<Record>> {
  const list = made.get(record) ?? make(record);
  made.set(record, list);
  return list as ReturnType<typeof make<Record>>;
}
