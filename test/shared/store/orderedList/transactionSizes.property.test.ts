import { randomBytes } from "node:crypto";
import {
  type AttributeValue,
  BatchGetItemCommand,
  type TransactWriteItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { itemId, type Table } from "../../../../shared/store/client.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import {
  type PlannedTransaction,
  TransactionPlanner,
} from "../../../../shared/store/orderedList/transactionPlanner.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { bytesOf, writeUnitsOf } from "../../../system/realRules/throughput.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { toyAmounts } from "../salesDays/toySale.ts";
import { interceptCalls, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, saleDate } from "./salesUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});
afterEach(() => {
  vi.restoreAllMocks();
});

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
      interceptCalls(own).before = async (command, input) => {
        if (command !== "TransactWriteItemsCommand") return;
        const { TransactItems = [] } = input as TransactWriteItemsCommandInput;
        const written = await measure(TransactItems.map(rawWrite));
        const planned = plans.find(
          ({ writes }) => writes.length + 1 === TransactItems.length && isOf(writes, TransactItems),
        );
        const { items, bytes, units } = planned?.size ?? expect.fail("a transaction was written that was not counted");
        expect(items + 1).toBe(written.items);
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
  const id = recordId(sales.crbId, "sale", "Dutchie", String(name));
  const posId = customer === null ? null : String(customer);
  const content = {
    id,
    name,
    text: randomBytes(textBytes).toString("base64").slice(0, textBytes),
    type: "retail",
    local_date: `${saleDate(day)} 10:00:00.000`,
    customer: { customer_id: posId && sales.customerId(posId), pos_customer_id: posId, type: "rec" },
    compliance_status: isFlagged ? "red_flag" : "svc_checked",
    ...toyAmounts(1_000),
    svc_created_date: null,
    svc_updated_date: null,
  };
  return { id, content };
}

type RawItem = Record<string, AttributeValue>;

/** The key of a written item, and the item after the write: undefined if it is deleted or only checked. */
function rawWrite({
  Put,
  Delete,
  Update,
  ConditionCheck,
}: NonNullable<TransactWriteItemsCommandInput["TransactItems"]>[number]) {
  const item = toRaw(Put?.Item);
  const { pk, sk } = item ?? toRaw((Delete ?? Update ?? ConditionCheck)?.Key) ?? expect.fail();
  return { key: { pk, sk } as RawItem, item };
}

/** Whether the writes of a plan are those of a transaction, after the fence. */
function isOf(
  writes: PlannedTransaction["writes"],
  items: NonNullable<TransactWriteItemsCommandInput["TransactItems"]>,
) {
  const first = items[1] && rawWrite(items[1]);
  const planned = writes[0]?.Put?.Item;
  return first?.item?.body !== undefined && JSON.stringify(toRaw(planned)) === JSON.stringify(first.item);
}

function toRaw(item: Record<string, unknown> | undefined): RawItem | undefined {
  if (!item) return undefined;
  const isRaw = typeof item.pk === "object";
  return isRaw ? (item as RawItem) : marshall(item, { removeUndefinedValues: true });
}

/** The size of writes with the stored items that they replace. Call it before they are committed. */
async function measure(writes: readonly ReturnType<typeof rawWrite>[]) {
  const keys = writes.map(({ key }) => ({ pk: key.pk?.S ?? "", sk: key.sk?.S ?? "" }));
  const { client, name } = table;
  const stored = new Map<string, RawItem>();
  for (let open = writes.map(({ key }) => key); open.length > 0; ) {
    const request = { [name]: { Keys: open.slice(0, 100), ConsistentRead: true } };
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetItemCommand({ RequestItems: request }),
    );
    for (const item of Responses[name] ?? []) stored.set(itemId({ pk: item.pk?.S ?? "", sk: item.sk?.S ?? "" }), item);
    open = [...(UnprocessedKeys[name]?.Keys ?? []), ...open.slice(100)];
  }
  const units = new Map<string, number>();
  let [bytes, largerBytes] = [0, 0];
  for (const [i, { item, key }] of writes.entries()) {
    const { pk, sk } = keys[i] ?? expect.fail();
    const before = bytesOf(stored.get(itemId({ pk, sk })) ?? {});
    const after = bytesOf(item ?? key);
    // The fence is no part of the plan.
    if (i === 0) continue;
    bytes += after;
    largerBytes += Math.max(before, after);
    units.set(pk, (units.get(pk) ?? 0) + writeUnitsOf(Math.max(before, after), true));
  }
  return { items: writes.length, bytes, largerBytes, units: Math.max(...units.values()) };
}
