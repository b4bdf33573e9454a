import type { BatchGetItemCommandInput, TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { rebuildLists } from "../../../../shared/domain/replication/rebuildLists.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { fingerprintsPartition, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { noDifferences } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { readSalesWeeks } from "../../../../shared/store/salesDays/salesWeek.ts";
import { testTableOf } from "../../../testTable.ts";
import { crashAt, sides } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { plainCustomer, plainSale, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(250), "2026-03-02T19:00:00.000Z");
const { table, clock, pos, connection } = one;
const walkIn = "7";

/** A sale of one of ten days, one in nine of another customer. One in ten has a buyer who is too young. */
function saleOf(index: number): PosSale {
  const day = String(1 + (index % 10)).padStart(2, "0");
  const sale = plainSale(String(index), 0, `2026-02-${day}T19:00:00.000Z`, index % 9 === 0 ? `1${index}` : walkIn);
  const lines = sale.line_items.map((line) => ({ ...line, product_type: "flower" as const, grams: 3.5 }));
  const dob = index % 10 === 0 ? "2007-01-01" : "1990-01-01";
  return { ...sale, line_items: lines, customer: { ...sale.customer, dob } } as PosSale;
}

/** A business with a number of sales. Returns the number of those of the customer. */
async function givenSales(count: number): Promise<number> {
  pos.put("sale", ...Array.from({ length: count }, (_, i) => saleOf(i)));
  expect(await one.run("sale")).toMatchObject({ created: count });
  clock.advance(61_000);
  return count - Math.ceil(count / 9);
}

test("the erasure of a customer with many sales reads at most 100 of them before it writes them", async () => {
  const sales = await givenSales(270);
  const erasing = testTableOf(table());
  const read = new Set<string>();
  let most = 0;
  interceptCalls(erasing).before = (command, input) => {
    const isSale = ({ pk }: { pk?: unknown } = {}) => pk === recordList(connection.crbId, "sale").pk;
    if (command === "BatchGetItemCommand") {
      const { RequestItems = {} } = input as BatchGetItemCommandInput;
      for (const key of RequestItems[erasing.name]?.Keys ?? []) if (isSale(plain(key))) read.add(plain(key).sk);
      most = Math.max(most, read.size);
    }
    if (command === "TransactWriteItemsCommand") {
      const { TransactItems = [] } = input as TransactWriteItemsCommandInput;
      for (const { Put } of TransactItems) if (isSale(plain(Put?.Item))) read.delete(plain(Put?.Item).sk);
    }
  };
  expect(await eraseCustomer(erasing, connection.crbId, one.idOf(walkIn), { clock })).toMatchObject({ sales });
  expect(most).toBeGreaterThan(50);
  expect(most).toBeLessThanOrEqual(100);
  expect(read.size).toBe(0);
});

test("an erasure that is killed again and again erases some more sales each time, and leaves the list right", async () => {
  const count = 120;
  let left = await givenSales(count);
  const { crbId } = connection;
  const customerId = one.idOf(walkIn);
  const before = await state();
  let calls = 0;
  for (let isFinished = false; !isFinished; calls++) {
    const crashing = testTableOf(table());
    crashAt(interceptCalls(crashing), 8 + (calls % 4), sides[calls % 2] ?? "before");
    isFinished = await eraseCustomer(crashing, crbId, customerId, { clock }).then(
      () => true,
      () => false,
    );
    // The lease of the killed call expires.
    clock.advance(61_000);
    const after = await state();
    expect(after.named).toBeLessThanOrEqual(left);
    left = after.named;
    expect({ ...after, named: 0 }).toEqual({ ...before, named: 0 });
    const reports = rebuildLists(table(), crbId, { isCheck: true, kinds: ["sale"], clock });
    for await (const { size, differences } of reports) {
      expect({ size, differences }).toEqual({ size: count, differences: noDifferences });
    }
    expect(await table().queryPartition(fingerprintsPartition(recordList(crbId, "sale")))).toEqual([]);
  }
  expect(left).toBe(0);
  expect(calls).toBeGreaterThan(3);
  expect(await eraseCustomer(table(), crbId, customerId, { clock })).toEqual({ stored: false, sales: 0 });
});

test("a worker that lost its lease to an erasure stores no fingerprint of the customer", async () => {
  const { crbId } = connection;
  // Many records, so that groups end on the last page.
  const ids = Array.from({ length: 400 }, (_, i) => String(i));
  pos.put("customer", ...ids.map((id) => plainCustomer(id, 0)));
  await one.run("customer");
  pos.beforePage = async ({ position }) => {
    if (position === null) return;
    pos.beforePage = () => undefined;
    // The worker pauses until its lease has expired.
    clock.advance(61_000);
    await eraseCustomer(table(), crbId, one.idOf("0"), { clock });
  };
  expect(await one.run("customer", { isFullRead: true })).toEqual({ outcome: "lost" });
  expect(await table().queryPartition(fingerprintsPartition(recordList(crbId, "customer")))).toEqual([]);
});

/** The number of sales that name the customer, the findings of all sales, and the figures of all days. */
async function state() {
  const all = await one.records("sale", { order: "saleRank" });
  const weeks = await readSalesWeeks(table(), recordList(connection.crbId, "sale").totalsPartition ?? "");
  return {
    named: all.filter(({ customer }) => customer.customer_id === one.idOf(walkIn)).length,
    findings: all
      .map(({ pos_sale_id, compliance_status, compliance_exceptions }) => [
        Number(pos_sale_id),
        compliance_status,
        compliance_exceptions,
      ])
      .toSorted(([one], [other]) => one - other),
    days: weeks.flatMap(({ days }) => [...days].map(([day, { figures }]) => [day, figures])),
  };
}

/** The key of an item in a request, whether it has plain values or not. */
function plain(item: Record<string, unknown> = {}): { pk: string; sk: string } {
  const text = (value: unknown) => (typeof value === "string" ? value : ((value as { S?: string })?.S ?? ""));
  return { pk: text(item.pk), sk: text(item.sk) };
}
