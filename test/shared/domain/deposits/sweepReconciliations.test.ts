import { expect, test } from "vitest";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { sweepReconciliations } from "../../../../shared/domain/deposits/sweepReconciliations.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { storeSalesDays } from "./givenDays.ts";

const table = useTestTable();

/** A clock that advances by a millisecond with each reading. */
function createTickingClock(): Clock {
  let ms = Date.parse("2026-03-02T12:00:00Z");
  return { now: () => new Date(ms++), sleep: async () => {} };
}

/** A business with one deposit that its sales do not explain. */
async function givenUnexplained(): Promise<void> {
  const given = await givenServiceProvider(table());
  const paid = { "2026-02-02": { cash: 100 }, "2026-02-03": { cash: 100 } };
  await storeSalesDays(table(), given.crbId, paid, "2026-02-03");
  await setCashCount(table(), given, { date: "2026-02-02", amount: 0 });
  await storeDeposits(table(), given, [{ id: "1", posted_date: "2026-02-03", amount: 900_000, type: "cash" }]);
}

test("a sweep that runs out of time leaves the other businesses to the next one, and fails for none", async () => {
  await Promise.all(Array.from({ length: 20 }, givenUnexplained));
  const clock = createTickingClock();
  // Past after the first eight businesses.
  const sweep = () => sweepReconciliations(table(), { clock, deadline: new Date(clock.now().getTime() + 2) });
  const swept = [await sweep(), await sweep(), await sweep()];
  expect(swept).toEqual([8, 8, 4].map((events) => ({ crbs: 8, events, failures: 0, handedOver: true })));
  expect(await sweepReconciliations(table())).toEqual({ crbs: 20, events: 0, failures: 0, handedOver: false });
});
