import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { itemId, type RawItem } from "../../../../shared/store/client.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import {
  type PlannedTransaction,
  TransactionPlanner,
} from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { bytesOf, writeUnitsOf } from "../../../system/realRules/throughput.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { interceptCalls, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, saleDate } from "./salesUnderTest.ts";

const table = await createTestTable();
afterEach(() => void vi.restoreAllMocks());

/** A version of a sale. Without a customer it is erased. Text of random characters can hardly be compressed. */
const sale = fc.record({
  name: fc.nat(60),
  day: fc.integer({ min: 1, max: 28 }),
  customer: fc.option(fc.nat(3)),
  isFlagged: fc.boolean(),
  textBytes: fc.oneof(
    { weight: 12, arbitrary: fc.nat(2_000) },
    { weight: 2, arbitrary: fc.nat(16_000) },
    { weight: 1, arbitrary: fc.nat(390_000) },
  ),
});
type Sale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never;
const history = fc.array(fc.array(sale, { minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 4 });

test("each transaction is at most as large as it was counted, and at most a third smaller", async () => {
  let transactions = 0;
  const plans: PlannedTransaction[] = [];
  const { plan } = TransactionPlanner.prototype;
  vi.spyOn(TransactionPlanner.prototype, "plan").mockImplementation(async function (this: TransactionPlanner, ...args) {
    const planned = await plan.apply(this, args);
    plans.push(planned);
    return planned;
  });
  await fc.assert(
    fc.asyncProperty(history, async (pages) => {
      const sales = new SalesUnderTest();
      await sales.begin(table);
      const own = testTableOf(table);
      plans.length = 0;
      const stored = new Map<string, number>();
      interceptCalls(own).before = (command, input) => {
        if (command !== "TransactWriteItemsCommand") return;
        // The fence is no part of the plan.
        const [, ...writes] = ((input as TransactWriteItemsCommandInput).TransactItems ?? []).map(toWritten);
        const planned = plans.find((plan) => isDeepStrictEqual(plan.writes.map(toWritten), writes));
        const { items, bytes, units } = planned?.size ?? expect.fail("a transaction was written that was not counted");
        const written = measure(writes, stored);
        expect(items).toBe(written.items);
        expect(items).toBeLessThanOrEqual(99);
        expect(bytes).toBeLessThanOrEqual(4 * 1_024 * 1_024);
        // DynamoDB charges for the larger one of the stored and the new item.
        expect(bytes).toBeGreaterThanOrEqual(written.bytes);
        expect(bytes).toBeLessThanOrEqual(1.3 * written.largerBytes);
        expect(units).toBeGreaterThanOrEqual(written.units);
        expect(units).toBeLessThanOrEqual(1.3 * written.units);
        transactions++;
      };
      const clock = new TestClock("2026-02-01T10:00:00.000Z");
      const completedDays = { until: saleDate(20), at: "2026-01-31T10:00:00.000Z" };
      const options = { ...indexingOptions.sale, completedDays, clock, fence: sales.fence };
      for (const page of pages) {
        await new RecordWriter(own, sales.list, options).write(page.map((one) => toRecord(sales, one)));
        clock.advance(3_600_000);
      }
    }),
    { numRuns: isThorough ? 60 : 6 },
  );
  expect(transactions).toBeGreaterThan(5);
}, 600_000);

function toRecord(sales: SalesUnderTest, { name, day, customer, isFlagged, textBytes }: Sale) {
  const posId = customer === null ? null : String(customer);
  const { id, content } = sales.recordOf({ name, day, version: 0, customer: posId });
  const text = randomBytes(textBytes).toString("base64").slice(0, textBytes);
  return { id, content: { ...content, text, compliance_status: isFlagged ? "red_flag" : "svc_checked" } };
}

type Write = NonNullable<TransactWriteItemsCommandInput["TransactItems"]>[number];

/** A written item with its size, or that of the key if the item is deleted. */
function toWritten({ Put, Delete, ConditionCheck }: Write | PlannedTransaction["writes"][number]) {
  const item: Record<string, unknown> = (Put ? Put.Item : (Delete ?? ConditionCheck)?.Key) ?? expect.fail();
  const raw = typeof item.pk === "object" ? (item as RawItem) : marshall(item, { removeUndefinedValues: true });
  return { pk: raw.pk?.S ?? "", sk: raw.sk?.S ?? "", bytes: bytesOf(raw), isStored: Put !== undefined };
}

/**
 * The size of writes with the stored items that they replace.
 *
 * @param stored the sizes of the stored items, which the writes change
 */
function measure(written: readonly ReturnType<typeof toWritten>[], stored: Map<string, number>) {
  const units = new Map<string, number>();
  let [bytes, largerBytes] = [0, 0];
  for (const { pk, sk, bytes: after, isStored } of written) {
    const id = itemId({ pk, sk });
    const larger = Math.max(after, stored.get(id) ?? 0);
    stored.set(id, isStored ? after : 0);
    bytes += after;
    largerBytes += larger;
    units.set(pk, (units.get(pk) ?? 0) + writeUnitsOf(larger, true));
  }
  return { items: written.length, bytes, largerBytes, units: Math.max(...units.values()) };
}
