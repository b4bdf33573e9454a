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

/** A table that is cut off after so many transactions. */
class BreakingTable extends Table {
  left = 5;

  override async transact(writes: TransactWriteItem[]): Promise<void> {
    if (this.left-- === 0) throw new Error("cut off");
    await super.transact(writes);
  }
}

test("a data set that was cut off is made anew, and a whole one is taken again", async () => {
  await expect(dataSets(new BreakingTable(table().name, table().client)).customers(100)).rejects.toThrow("cut off");
  const business = await dataSets().customers(100);
  const { total } = await readPage(table(), recordList(business.crbId, "customer"), { offset: 0, limit: 1 });
  expect(total).toBe(100);
  expect(await dataSets().customers(100)).toEqual(business);
});
