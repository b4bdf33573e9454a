import { describe, expect, test } from "vitest";
import {
  type ConfirmationState,
  confirmPull,
  type PullEnd,
} from "../../../../shared/domain/replication/confirmPull.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));
const since = (minute: number) => at(minute).toISOString();
/** The end of a complete pull with records, some changed and none left out. */
const end = (minute: number, more: Partial<PullEnd> = {}): PullEnd => ({
  startedAt: at(minute),
  isCertain: false,
  isComplete: true,
  isEmpty: false,
  created: 0,
  stock: undefined,
  ...more,
});
const endWithoutStock = (minute: number, vanished: number, inStock: number, more: Partial<PullEnd> = {}) =>
  end(minute, { stock: { vanished, inStock }, ...more });
/** The state after several pulls. */
const stateAfter = (...pulls: readonly PullEnd[]) =>
  pulls.reduce<ConfirmationState>((state, pull) => confirmPull(state, pull), { in_stock: 10 });

describe("a complete pull that leaves out stock", () => {
  test.each([
    [0, 0, null, false],
    [0, 5, 5, false],
    [1, 1, 1, true],
    [1, 2, 2, false],
    [1, 3, 3, false],
    [2, 3, 3, true],
    [5, 10, 10, false],
    [6, 11, 11, true],
    [10, 10, 10, true],
    [5, 10, null, false],
    [6, 10, null, true],
    // As many new rows of another store as records before. The last two rows: the same, if the pull restocked records.
    [599, 1198, 599, true],
    [300, 599, 599, true],
    [299, 599, 599, false],
    [299, 1198, 599, false],
    // Most were sold in the meantime and reported.
    [2, 4, 600, false],
    [3, 4, 600, true],
    // All that were added since the last complete pull.
    [1, 5, 0, true],
  ])("%i of %i, with %j before, needs a confirmation: %j", (vanished, inStock, before, isWaiting) => {
    const { unconfirmed, in_stock } = confirmPull({ in_stock: before }, endWithoutStock(1, vanished, inStock));
    expect(unconfirmed).toEqual(isWaiting ? { since: since(1), records: vanished } : null);
    expect(in_stock).toBe(isWaiting ? before : inStock - vanished);
  });

  test("does not count records that it created if the stock before is unknown", () => {
    expect(confirmPull({}, endWithoutStock(1, 3, 6)).unconfirmed).toBeNull();
    expect(confirmPull({}, endWithoutStock(1, 3, 6, { created: 3 })).unconfirmed).toEqual({
      since: since(1),
      records: 3,
    });
  });

  test("waits until a pull with a later start leaves out most of the same records", () => {
    const waiting = stateAfter(endWithoutStock(1, 10, 10));
    expect(confirmPull(waiting, endWithoutStock(1, 10, 10)).unconfirmed).toEqual({ since: since(1), records: 10 });
    expect(confirmPull(waiting, endWithoutStock(0, 10, 10)).unconfirmed).toEqual({ since: since(1), records: 10 });
    expect(confirmPull(waiting, endWithoutStock(2, 8, 12))).toMatchObject({ unconfirmed: null, in_stock: 4 });
  });

  test("stops waiting after a pull that reports most of the records", () => {
    const good = stateAfter(endWithoutStock(1, 10, 10), endWithoutStock(2, 1, 11));
    expect(good).toMatchObject({ unconfirmed: null, in_stock: 10 });
    expect(confirmPull(good, endWithoutStock(3, 10, 10)).unconfirmed).toEqual({ since: since(3), records: 10 });
  });

  test("keeps waiting after an incomplete pull, unless that reports most of the records", () => {
    const waiting = stateAfter(endWithoutStock(1, 9, 10));
    const incomplete = { isComplete: false };
    const still = confirmPull(waiting, endWithoutStock(2, 9, 10, incomplete));
    expect(still).toMatchObject({ unconfirmed: { since: since(1), records: 9 }, in_stock: 10 });
    expect(confirmPull(still, endWithoutStock(3, 9, 10)).unconfirmed).toBeNull();
    expect(confirmPull(still, endWithoutStock(3, 5, 10, incomplete))).toMatchObject({
      unconfirmed: null,
      in_stock: 10,
    });
  });

  test("waits again if a later pull leaves out most of the records that it still reported", () => {
    const waiting = stateAfter(endWithoutStock(1, 6, 10));
    const emptied = confirmPull(waiting, endWithoutStock(2, 10, 10));
    expect(emptied).toMatchObject({ unconfirmed: { since: since(1), records: 10 }, in_stock: 10 });
    expect(confirmPull(emptied, endWithoutStock(3, 10, 10))).toMatchObject({ unconfirmed: null, in_stock: 0 });
    expect(confirmPull(waiting, endWithoutStock(2, 8, 10))).toMatchObject({ unconfirmed: null, in_stock: 2 });
    // All ids changed, and one of the new records was sold since.
    const renamed = stateAfter(endWithoutStock(1, 10, 20));
    expect(confirmPull(renamed, endWithoutStock(2, 11, 20))).toMatchObject({ unconfirmed: null, in_stock: 9 });
  });

  test("is not confirmed by records that only an incomplete pull left out", () => {
    const waiting = stateAfter(endWithoutStock(1, 6, 10), endWithoutStock(2, 10, 10, { isComplete: false }));
    expect(waiting.unconfirmed).toEqual({ since: since(1), records: 6 });
    expect(confirmPull(waiting, endWithoutStock(3, 10, 10)).unconfirmed).toEqual({ since: since(1), records: 10 });
    const fewer = stateAfter(endWithoutStock(1, 10, 10), endWithoutStock(2, 6, 10, { isComplete: false }));
    expect(confirmPull(fewer, endWithoutStock(3, 10, 10)).unconfirmed).toEqual({ since: since(1), records: 10 });
  });

  test("is not confirmed by an incomplete first pull without records", () => {
    const nothing = confirmPull({}, end(1, { isComplete: false, isEmpty: true }));
    const short = confirmPull(nothing, endWithoutStock(2, 9, 10));
    expect(short).toMatchObject({ unconfirmed: { since: since(1), records: 9 }, in_stock: null });
    expect(confirmPull(short, endWithoutStock(3, 9, 10))).toMatchObject({ unconfirmed: null, in_stock: 1 });
  });

  test("does not wait if the POS type has no such records", () => {
    expect(confirmPull({ in_stock: 10 }, endWithoutStock(1, 10, 10, { isCertain: true, isEmpty: true }))).toEqual({
      unconfirmed: null,
      empty_since: null,
      in_stock: 0,
    });
  });
});

describe("a full pull without records", () => {
  const empty = (minute: number) => end(minute, { isEmpty: true });

  test("waits until a pull with a later start has no records either, and only once", () => {
    const first = confirmPull({}, empty(1));
    expect(first).toMatchObject({ unconfirmed: { since: since(1), records: 0 }, empty_since: since(1) });
    expect(confirmPull(first, empty(1)).unconfirmed).toEqual({ since: since(1), records: 0 });
    const second = confirmPull(first, empty(2));
    expect(second).toMatchObject({ unconfirmed: null, empty_since: since(1) });
    expect(confirmPull(second, empty(3))).toMatchObject({ unconfirmed: null, empty_since: since(1) });
  });

  test("waits again after a pull with records", () => {
    const filled = confirmPull(confirmPull({}, empty(1)), end(2));
    expect(filled).toMatchObject({ unconfirmed: null, empty_since: null });
    expect(confirmPull(filled, empty(3)).unconfirmed).toEqual({ since: since(3), records: 0 });
  });

  test("is confirmed together with the stock that it leaves out", () => {
    const emptyStock = (minute: number) => endWithoutStock(minute, 10, 10, { isEmpty: true });
    const second = confirmPull(stateAfter(emptyStock(1)), emptyStock(2));
    expect(second).toEqual({ unconfirmed: null, empty_since: since(1), in_stock: 0 });
    expect(confirmPull(second, end(3, { isEmpty: true, stock: { inStock: 0, vanished: 0 } })).unconfirmed).toBeNull();
  });

  test("is confirmed even if an incomplete list of stock cannot set anything to 0", () => {
    const emptyList = (minute: number) => endWithoutStock(minute, 10, 10, { isEmpty: true, isComplete: false });
    const first = confirmPull({ in_stock: 10 }, { ...emptyList(1), stock: undefined });
    expect(first.unconfirmed).toEqual({ since: since(1), records: 0 });
    expect(confirmPull(first, emptyList(2))).toEqual({ unconfirmed: null, empty_since: since(1), in_stock: 10 });
  });
});
