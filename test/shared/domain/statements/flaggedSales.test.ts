import { expect, test } from "vitest";
import { readFlaggedSales } from "../../../../shared/domain/statements/flaggedSales.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { createTestTable } from "../../../testTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { SalesUnderTest } from "../../store/orderedList/salesUnderTest.ts";

test("flagged sales are read to their end, although a page lacks one that has changed meanwhile", async () => {
  const table = await createTestTable();
  const sales = new SalesUnderTest();
  await sales.begin(table);
  const list = recordList(sales.crbId, "sale");
  const clock = new TestClock("2026-02-01T10:00:00.000Z");
  const flagged = Array.from({ length: 6 }, (_, name) => {
    const { id, content } = sales.recordOf({ name, customer: null, day: 5, version: 0 });
    const findings = { compliance_exceptions: ["CO.adult.minimum_age: too young"], compliance_warnings: [] };
    return { id, content: { ...content, compliance_status: "red_flag", ...findings } };
  });
  await new RecordWriter(table, list, { fence: sales.fence, clock, ...indexingOptions.sale }).write(flagged);
  const read = async () => {
    const window = { start_date: "2026-01-01", end_date: "2026-01-31" };
    const found = await readFlaggedSales(table, sales.crbId, window, 2);
    return { ids: found.sales.map(({ sale_id }) => sale_id).sort(), damaged: found.damaged };
  };
  const ids = flagged.map(({ id }) => id);
  expect(await read()).toEqual({ ids: ids.toSorted(), damaged: 0 });
  const newest = (await table.queryPartition(list.pk)).sort((one, other) =>
    String(one.rank) < String(other.rank) ? 1 : -1,
  )[0];
  // The entry of the newest sale stays, as that of a sale that is no longer flagged.
  await table.delete(recordKey(list, newest?.sk ?? expect.fail()));
  const others = ids.filter((id) => id !== newest?.sk).sort();
  expect(await read()).toEqual({ ids: others, damaged: 0 });
  await table.update(recordKey(list, others[0] ?? ""), { body: new Uint8Array([1]) });
  expect(await read()).toEqual({ ids: others.slice(1), damaged: 1 });
});
