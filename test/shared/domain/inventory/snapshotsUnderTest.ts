import { randomUUID } from "node:crypto";
import { openDailySnapshot } from "../../../../shared/domain/inventory/dailySnapshots.ts";
import { keepDailySnapshots } from "../../../../shared/domain/inventory/keepDailySnapshots.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { recordStockedLocation } from "../../../../shared/store/inventory.ts";
import { locationInventoryList } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { costOf } from "../../../bench/capacity.ts";
import { recordId, setFence, TestClock } from "../../store/orderedList/listUnderTest.ts";

const day = 24 * 60 * 60_000;

/**
 * A location whose packages the test writes directly to its list, as the outbox would.
 */
export async function givenLocation(
  table: Table,
  clock: Clock & { advance(milliseconds: number): void } = new TestClock("2025-06-01T16:00:00.000Z"),
) {
  const [crbId, location] = [randomUUID(), randomUUID()];
  const fence = { key: { pk: `LEASE of ${crbId}`, sk: "LEASE" }, number: 1 };
  await setFence(table, fence.key, 1);
  await recordStockedLocation(table, crbId, location);
  const list = locationInventoryList(crbId, location);
  const write = (numbers: readonly number[], quantity: number) =>
    new RecordWriter(table, list, { fence, clock }).write(numbers.map((number) => byLocation(crbId, number, quantity)));
  // Local days end when a test says so, mostly not with a UTC day.
  let days = 0;
  const today = () => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10);
  const end = (milliseconds = day) => {
    const ended = today();
    days++;
    clock.advance(milliseconds);
    return (time: { deadline?: Date; cutOff?: Date } = {}) =>
      keepDailySnapshots({ table, crbId, fence, clock, ...time }, ended, today());
  };
  const keep = (milliseconds = day) => costOf(table.client, end(milliseconds));
  const page = async (date: string, window: { offset: number; limit: number }) =>
    (await openDailySnapshot(table, crbId, location, date, window)).read();
  return { crbId, location, list, clock, fence, write, end, keep, page, today };
}

/** A by-location record with the distinguishing values of a real one: ids, names, dates. */
function byLocation(crbId: string, number: number, quantity: number) {
  const id = recordId(number);
  const content = {
    id,
    product_id: recordId(1_000_000 + (number % 500)),
    svc_created_date: null,
    svc_updated_date: null,
    crb_id: crbId,
    pos_type: "Dutchie",
    pos_inventory_id: `${5_000_000 + number * 7}`,
    pos_product_id: `${100_000 + (number % 500)}`,
    name: `Flower ${number % 500} 3.5g`,
    sku: `1A4060300${String(1_000_000_000 + number * 13)}`,
    barcode: null,
    total_quantity: quantity,
    pos_created_date: new Date(1_760_000_000_000 + number * 61_007).toISOString(),
    pos_updated_date: new Date(1_760_000_000_000 + number * 97_001 + quantity).toISOString(),
    quantity,
  };
  return { id, content };
}
