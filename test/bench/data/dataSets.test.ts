import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { Table } from "../../../shared/store/client.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestTable } from "../../useTestTable.ts";
import { DataSets } from "./dataSets.ts";

const table = useTestTable();
useTestServiceKey();
const dataSets = (on = table()) => new DataSets(on, () => undefined);

/** A table that fails after five transactions. */
class BreakingTable extends Table {
  left = 5;

  override async transact(writes: TransactWriteItem[]): Promise<void> {
    if (this.left-- === 0) throw new Error("cut off");
    await super.transact(writes);
  }
}

test("an interrupted data set is made again, and a complete one is used again", async () => {
  await expect(dataSets(new BreakingTable(table().name, table().client)).customers(100)).rejects.toThrow("cut off");
  const business = await dataSets().customers(100);
  const { total } = await readPage(table(), recordList(business.crbId, "customer"), { offset: 0, limit: 1 });
  expect(total).toBe(100);
  expect(await dataSets().customers(100)).toEqual(business);
});
