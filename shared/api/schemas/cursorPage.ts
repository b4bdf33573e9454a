import * as z from "zod";

/**
 * The envelope of a list that is paged by cursors (docs/spec.md#pages-by-cursor), named after its records: `DepositPage`.
 */
export const cursorPageOf = <Record extends z.ZodType>(record: Record, order = "newest first") =>
  z
    .strictObject({
      data: z.array(record).describe(`The records of the page, ${order}`),
      cursor: z.string().describe("Send it with the next request to continue. It never expires"),
      has_more: z.boolean().describe("`true` if more records follow; `false` if this page was the last"),
    })
    .meta({ id: `${record.meta()?.id}Page`, description: "A page of a list, which a cursor continues" });
