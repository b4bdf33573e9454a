import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { createTestTable } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { faultsOfHistory, salesHistory } from "./salesHistory.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

test("after any history of two workers, the totals of days and the digests equal those of the stored sales", async () => {
  const reached = { commits: 0, revisions: 0, takeovers: 0, kills: 0 };
  await fc.assert(
    fc.asyncProperty(salesHistory, async (history) => {
      expect(await faultsOfHistory(table, history, reached)).toEqual([]);
    }),
    { numRuns: isThorough ? 25 : 8 },
  );
  expect(reached.revisions).toBeGreaterThan(0);
}, 60_000);
