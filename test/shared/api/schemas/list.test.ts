import { expect, test } from "vitest";
import * as z from "zod";
import { listOf } from "../../../../shared/api/schemas/list.ts";

test("two lists of the same record have one schema, so that the description can name it", () => {
  const record = z.strictObject({ id: z.string() }).meta({ id: "ListedRecord" });
  const schema = z.toJSONSchema(z.object({ one: listOf(record), other: listOf(record) }));
  expect(Object.keys(schema.$defs ?? {}).sort()).toEqual(["ListMetadata", "ListedRecord", "ListedRecordList"]);
});
