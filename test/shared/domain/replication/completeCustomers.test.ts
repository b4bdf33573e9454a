import { expect, test } from "vitest";
import { completeCustomers } from "../../../../shared/domain/replication/completeCustomers.ts";
import type { PosCustomer } from "../../../../shared/pos/posRecords.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { erasedKey } from "../../../../shared/store/keys/replication.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const { table, pos, connection, runLater, records, idOf } = useReplication(new ScriptedPos(3));

const customer = (id: string, version: number, loyalty_points: PosCustomer["loyalty_points"]): PosCustomer => ({
  ...plainCustomer(id, version),
  loyalty_points,
});
const run = async (...customers: PosCustomer[]) => {
  pos.put("customer", ...customers);
  return runLater("customer");
};
const stored = async () =>
  Object.fromEntries(
    (await records("customer")).map((one) => [one.pos_customer_id, [one.address_1, one.loyalty_points]]),
  );

test("if the POS does not report points, a customer keeps the stored points, or has none", async () => {
  await run(customer("1", 0, "5"), customer("2", 0, "6"), customer("3", 0, null));
  await run(customer("1", 1, undefined), customer("2", 1, "7"), customer("4", 1, undefined));
  expect(await stored()).toEqual({
    1: ["1 Pearl St", "5"],
    2: ["1 Pearl St", "7"],
    3: ["0 Pearl St", null],
    4: ["1 Pearl St", null],
  });
  await run(customer("1", 2, null), customer("4", 2, "8"));
  expect(await stored()).toMatchObject({ 1: ["2 Pearl St", null], 4: ["2 Pearl St", "8"] });
});

test("a customer is not written if only unreported points differ", async () => {
  await run(customer("1", 0, "5"), customer("2", 0, null));
  const again = await run(customer("1", 0, undefined), customer("2", 0, undefined));
  expect(again).toMatchObject({ changed: 0, unchanged: 2 });
});

test("an erased customer is not stored again", async () => {
  await table().put({ ...erasedKey(connection.crbId, idOf("1")), erased_at: "2026-03-01T12:00:00.000Z" });
  await run(customer("1", 0, undefined), customer("2", 0, undefined));
  expect(Object.keys(await stored())).toEqual(["2"]);
});

test("the table is not read if the POS reports the points of all customers, including those without points", async () => {
  const customers = [customer("1", 0, "5"), customer("2", 0, null)];
  expect(await completeCustomers({} as Table, connection, customers)).toEqual(customers);
});
