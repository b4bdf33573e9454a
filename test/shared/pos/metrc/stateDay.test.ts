import { expect, test } from "vitest";
import { confirmStateDay, type StateDay } from "../../../../shared/pos/metrc/stateDay.ts";

const day = (receipts: number, hour: number, more: Partial<StateDay> = {}): StateDay => ({
  date: "2026-03-10",
  receipts,
  voided: 0,
  total: receipts * 100,
  by_customer_type: {},
  complete: true,
  digest: String(receipts),
  dataAsOf: `2026-03-12T${String(hour).padStart(2, "0")}:00:00.000Z`,
  ...more,
});

test("a day that grows, or whose receipts are voided, is stored at once", () => {
  expect(confirmStateDay(undefined, day(10, 1))).toEqual({ day: day(10, 1) });
  expect(confirmStateDay({ day: day(10, 1) }, day(11, 2))).toEqual({ day: day(11, 2) });
  const voided = day(8, 2, { voided: 2 });
  expect(confirmStateDay({ day: day(10, 1) }, voided)).toEqual({ day: voided });
});

test("a day that shrinks keeps its figures, as incomplete, until a later reading confirms the loss", () => {
  const waiting = confirmStateDay({ day: day(10, 1) }, day(4, 2));
  expect(waiting).toEqual({
    day: day(10, 1, { complete: false }),
    unconfirmed: { receipts: 4, dataAsOf: day(4, 2).dataAsOf },
  });
  expect(confirmStateDay(waiting, day(4, 3))).toEqual({ day: day(4, 3) });
  expect(confirmStateDay(waiting, day(7, 3))).toEqual({ day: day(7, 3) });
  expect(confirmStateDay(waiting, day(10, 3))).toEqual({ day: day(10, 3) });
});

test("a loss is not confirmed by a reading that loses more, is incomplete, or comes twice", () => {
  const waiting = confirmStateDay({ day: day(10, 1) }, day(4, 2));
  expect(confirmStateDay(waiting, day(2, 3)).unconfirmed?.receipts).toBe(2);
  expect(confirmStateDay(waiting, day(4, 3, { complete: false })).day.receipts).toBe(10);
  expect(confirmStateDay(waiting, day(4, 2))).toEqual(waiting);
});

test("an earlier reading that comes late changes nothing", () => {
  expect(confirmStateDay({ day: day(10, 2) }, day(12, 1))).toEqual({ day: day(10, 2) });
});
