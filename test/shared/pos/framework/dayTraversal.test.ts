import { expect, test } from "vitest";
import { historyUpTo, readNextDayPage } from "../../../../shared/pos/framework/dayTraversal.ts";

test.each([true, false])(
  "an empty page before the reported total does not end a list of days (requested by rows: %s)",
  async (countsRows) => {
    const list = {
      windowDays: 30,
      idField: "id",
      countsRows,
      fetch: async () => ({ rows: [], isLast: true, total: 25 }),
    };
    const read = readNextDayPage(list, historyUpTo("2026-03-10", 10), 365);
    await expect(read).rejects.toMatchObject({ failure: "notUnderstood", code: "page" });
  },
);
