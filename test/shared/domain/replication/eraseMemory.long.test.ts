import { expect, test } from "vitest";
import { replicatedKinds } from "../../../../shared/domain/replication/replicatedKinds.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { createBusiness, standingFence } from "../../../bench/data/business.ts";
import { indexes, writeAll } from "../../../bench/data/fill.ts";
import { saleMaker, walkIn } from "../../../bench/data/records.ts";
import { peakMemoryOf } from "../../../bench/memory/peakMemory.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useTestTable } from "../../../useTestTable.ts";

useTestServiceKey();
const table = useTestTable();

test("a customer with 20,000 sales is erased in 256 MB", async () => {
  const { crbId, connection } = await createBusiness(table());
  const count = 20_000;
  const make = await saleMaker(connection, count);
  const list = recordList(crbId, "sale");
  const fence = await standingFence(table(), crbId, "sale");
  await writeAll(table(), list, { fence, ...indexingOptions.sale }, indexes(count), (index) => {
    const sale = make(index, 0);
    const customer = { ...sale.customer, pos_customer_id: walkIn.posId };
    return replicatedKinds.sale.normalize(connection, { ...sale, customer } as typeof sale) ?? expect.fail();
  });
  await table().delete(fence.key);
  const customerId = recordId(crbId, "customer", connection.posType, walkIn.posId);
  const program = new URL("../../../bench/memory/erasureWorker.ts", import.meta.url);
  const { sales, peak } = await peakMemoryOf<{ sales: number }>(program, { crbId, customerId });
  expect(sales).toBe(count);
  const peakMb = peak / 1024 ** 2;
  console.log(`peak ${peakMb.toFixed(0)} MB`);
  expect(peakMb).toBeLessThanOrEqual(256);
}, 1_800_000);
