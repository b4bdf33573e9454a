import { beforeAll, expect, test } from "vitest";
import { purgeRecords } from "../../../../shared/onboarding/purge/purgeRecords.ts";
import { itemId, type Table } from "../../../../shared/table/client.ts";
import { ownListsOf } from "../../../chaos/faultsOfOwnLists.ts";
import { scan } from "../../../chaos/tableState.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { dieAt, sides, writesOf } from "../death.ts";
import { interceptCalls, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest } from "./salesUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Sales of one customer, of four days in turn: so many that the customer's values get lists of their own. */
const sales = Array.from({ length: 6 }, (_, name) => ({ name, customer: "1", day: 1 + (name % 4), version: 0 }));

const clock = () => new TestClock("2026-03-01T10:00:00.000Z");
const later = new TestClock("2027-01-02T10:00:00.000Z");

test("of a list that was cut off while it was made, a purge leaves nothing", async () => {
  const whole = new SalesUnderTest();
  await whole.begin(table);
  const counted = testTableOf(table);
  const writes = await writesOf(interceptCalls(counted), () => whole.writer(counted, clock()).write(sales));
  expect(Object.keys(ownListsOf(await scan(table), whole.list))).toHaveLength(2);
  await purgeRecords(table, whole.crbId, () => undefined);
  for (let write = 1; write <= writes; write++) {
    for (const side of sides) {
      const cut = new SalesUnderTest();
      await cut.begin(table);
      const mortal = testTableOf(table);
      dieAt(interceptCalls(mortal), write, side);
      await expect(cut.writer(mortal, clock()).write(sales)).rejects.toThrow("killed");
      // What is named is carried on into another year.
      if (side === "after") await cut.writer(table, later).write([{ name: 9, customer: "2", day: 1, version: 0 }]);
      await purgeRecords(table, cut.crbId, () => undefined);
      const left = (await scan(table)).filter(({ pk }) => !pk.startsWith("LEASE"));
      expect(left.map(itemId), `${side} write ${write}`).toEqual([]);
    }
  }
}, 60_000);
