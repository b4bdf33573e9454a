import { expect, test } from "vitest";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { createTestTable } from "../../../testTable.ts";
import { voidSale } from "../replication/scriptedPos.ts";
import { InsightShop, lastDay, saleOf } from "./insightShop.ts";
import { recompute } from "./recompute.ts";

/** The customer of a sale, changed. */
const of = (sale: PosSale, customer: object): PosSale =>
  ({ ...sale, customer: { ...sale.customer, ...customer } }) as PosSale;
const some = (count: number, day: string, change: Parameters<typeof saleOf>[2] = {}) =>
  Array.from({ length: count }, (_, i) => saleOf(day, i + 5, change));

/** Four sales a day since December, without those of two days; in four weeks half of them by card, and half of unknown customers. */
function usual(): PosSale[] {
  const sales: PosSale[] = [];
  for (let day = "2025-12-01"; day <= lastDay; day = addDays(day, 1)) {
    if (day === "2026-05-04" || day === "2026-05-05") continue;
    const isOther = day >= "2026-03-30" && day <= "2026-04-26";
    for (const number of [1, 2, 3, 4]) {
      const sale = saleOf(day, number);
      const paid =
        isOther && number < 3 ? [{ type: "debit" as const, amount_paid: sale.total_paid ?? 0 }] : sale.payments;
      sales.push(of({ ...sale, payments: paid } as PosSale, isOther && number > 2 ? { type: null } : {}));
    }
  }
  return sales;
}

const planted: PosSale[] = [
  ...some(8, "2026-04-15"),
  ...some(5, "2026-04-16").map(
    (sale) => ({ ...sale, transaction_type: "return", total_paid: -1, subtotal: -1 }) as PosSale,
  ),
  ...some(4, "2026-04-17").map((sale) => voidSale(sale, "2026-04-17T20:00:00.000Z")),
  ...[5, 6, 7].map(
    (number): PosSale => ({ ...saleOf("2026-04-20", number), date: `2026-04-20T09:0${number}:00.000Z` }),
  ),
  saleOf("2026-04-21", 5, { total: 1_000_001 }),
  ...some(4, "2026-04-22").map((sale) => of(sale, { pos_customer_id: "regular" })),
  ...some(25, "2026-04-24", { total: 777 }),
  ...some(2, "2026-04-13").map((sale) => of(sale, { dob: "2015-01-01", id_type: "drivers" })),
];

test("a program in Python finds the same insights of eleven codes in the lists of the API", async () => {
  const table = await createTestTable();
  const shop = await new InsightShop(table).open();
  shop.pos.put("sale", ...usual(), ...planted);
  await shop.run();
  const { stored, computed } = await recompute(table, shop);
  expect(stored).toEqual(computed);
  expect(new Set(stored.map(([code]) => code)).size).toBeGreaterThanOrEqual(11);
}, 300_000);
