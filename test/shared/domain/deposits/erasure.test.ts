import { expect, test } from "vitest";
import { bankDaysQuery, reconciliationDaysQuery } from "../../../../shared/api/parameters.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { listCashCounts, listDeposits } from "../../../../shared/domain/deposits/listDeposits.ts";
import { listReconciliationDays } from "../../../../shared/domain/deposits/readReconciliation.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { createTestTable } from "../../../testTable.ts";
import { InsightShop, saleOf } from "../insights/insightShop.ts";
import { plainCustomer } from "../replication/scriptedPos.ts";

useTestServiceKey();

test("an erasure of a customer leaves deposits, counts and all figures of reconciliation days", async () => {
  const table = await createTestTable();
  const shop = await new InsightShop(table).open();
  const { crbId, connection, clock } = shop;
  const [first, last] = ["2026-05-04", "2026-05-06"] as const;
  const sold = [first, "2026-05-05", last].flatMap((day) => [saleOf(day, 1), saleOf(day, 2)]);
  shop.pos.put("customer", plainCustomer("7"));
  shop.pos.put(
    "sale",
    ...sold.map((sale) => ({ ...sale, customer: { ...sale.customer, pos_customer_id: "7" } }) as PosSale),
  );
  expect(await replicate(table, connection, shop.pos, "customer", { clock })).toMatchObject({ outcome: "finished" });
  await shop.replicate();
  await setCashCount(table, shop, { date: first, amount: 4_003 }, clock);
  const posted = { posted_date: last, type: "cash" as const };
  await storeDeposits(table, shop, [
    { id: "1", amount: 8_006, ...posted },
    { id: "2", amount: 50_000, excluded_reason: "loan", ...posted },
  ]);
  const read = async () => ({
    days: (await listReconciliationDays(table, crbId, reconciliationDaysQuery.parse({}))).records,
    deposits: (await listDeposits(table, crbId, bankDaysQuery.parse({}))).records,
    counts: (await listCashCounts(table, crbId, bankDaysQuery.parse({}))).records,
  });
  const before = await read();
  expect(before.days.map(({ date, balance_low, status }) => [date, balance_low, status])).toEqual([
    [last, 4_003 + 4_003 + 4_003 - 8_006, "within"],
    ["2026-05-05", 8_006, "within"],
    [first, 4_003, "within"],
  ]);
  await eraseCustomer(table, crbId, recordId(crbId, "customer", connection.posType, "7"), { clock });
  // Each day has a sale that does not name the customer any more, and the same sums.
  const changed = before.days.map((day) => ({ ...day, revision: day.revision + 1 }));
  expect(await read()).toEqual({ ...before, days: changed });
});
