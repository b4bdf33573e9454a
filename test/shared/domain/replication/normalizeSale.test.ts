import { describe, expect, test } from "vitest";
import { compareSums } from "../../../../shared/domain/replication/compareSums.ts";
import { normalizeSale } from "../../../../shared/domain/replication/normalizeSale.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import { returned, voided } from "../../../../shared/pos/framework/conversions/reversals.ts";
import {
  emptySale,
  emptySaleCustomer,
  type PosPayment,
  type PosSale,
  type PosWholesaleSale,
} from "../../../../shared/pos/posRecords.ts";

const connection = {
  ...{ crbId: "6f1a3c52-5f0e-4c37-8a39-0d6f3b6a4a11", posType: "Treez", timezone: "America/Denver" },
} as Connection;

const cash = (amount_paid: number | null): PosPayment => ({ type: "cash", amount_paid });
const debit = (amount_paid: number | null): PosPayment => ({ type: "debit", amount_paid, pos_name: "DEBIT" });
const unknown = (amount_paid: number) => ({ type: "unknown", amount_paid });

const sale = (total_paid: number | null, payments: PosPayment[]): PosSale => ({
  ...emptySale,
  ...{ type: "retail", pos_sale_id: "1", date: "2026-03-10T19:30:00.000Z", customer: emptySaleCustomer },
  ...{ total_paid, payments },
});
const order = (open_balance: number | null, payments: PosPayment[]): PosWholesaleSale => ({
  ...emptySale,
  ...{ type: "wholesale", pos_sale_id: "1", date: "2026-03-10T19:30:00.000Z", customer: null },
  ...{
    total_paid: 50_00,
    payments,
    invoice: { id: null, pos_customer_id: null, memo: null, open_balance, total: null },
  },
});
const paymentsOf = (of: PosSale) => normalizeSale(connection, of)?.content.payments;

describe("a payment whose amount the POS does not state", () => {
  test.each<[string, PosSale, object[]]>([
    [
      "is the rest of the total",
      sale(50_00, [cash(null), debit(20_00)]),
      [{ type: "debit", amount_paid: 20_00 }, unknown(30_00)],
    ],
    ["is all of the total", sale(50_00, [cash(null)]), [unknown(50_00)]],
    [
      "is one rest with others of its kind",
      sale(50_00, [cash(null), cash(10_00), debit(null)]),
      [cash(10_00), unknown(40_00)],
    ],
    ["is nothing if the others are the total", sale(50_00, [cash(50_00), debit(null)]), [cash(50_00)]],
    [
      "is the rest of the paid part of an invoice",
      order(15_00, [cash(null), cash(10_00)]),
      [cash(10_00), unknown(25_00)],
    ],
    ["stays unknown without a total", sale(null, [cash(null), cash(10_00)]), [cash(10_00)]],
    ["stays unknown without an open balance", order(null, [cash(null), cash(10_00)]), [cash(10_00)]],
    [
      "is negative in a return",
      returned(sale(50_00, [cash(null), debit(20_00)])),
      [{ type: "debit", amount_paid: -20_00 }, unknown(-30_00)],
    ],
    ["is nothing in a voided sale", voided(sale(50_00, [cash(null)])), []],
  ])("%s, by unknown means", (_, given, expected) => {
    expect(paymentsOf(given)).toEqual(expected);
    expect(compareSums([given])).toEqual({ compared: 1, mismatched: 0 });
  });

  test("adds nothing to payments that are all stated", () => {
    expect(paymentsOf(sale(50_00, [cash(20_00)]))).toEqual([cash(20_00)]);
    expect(compareSums([sale(50_00, [cash(20_00)])])).toEqual({ compared: 1, mismatched: 1 });
  });
});
