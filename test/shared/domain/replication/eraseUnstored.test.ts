import { beforeEach, describe, expect, test } from "vitest";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import type { RejectedItem } from "../../../../shared/domain/replication/rejectedRecords.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { type Item, itemId } from "../../../../shared/store/client.ts";
import type { CrbConnection } from "../../../../shared/store/crb.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { searchCustomers } from "../../../../shared/store/customers.ts";
import { recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { rejectedRecordsKey } from "../../../../shared/store/keys/replication.ts";
import { scan } from "../../../tableState.ts";
import { testTableOf } from "../../../testTable.ts";
import { crashAt, sides } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { plainCustomer, plainSale, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(3), "2026-03-02T12:00:00.000Z");
const { table, clock, pos, connection, runLater: run, idOf } = one;

const connections: [string, CrbConnection | null][] = [
  ["is no longer connected to a POS", null],
  [
    "is connected to a POS of another type",
    { posType: "Treez", locationId: null, connectedAt: "2026-03-02T00:00:00Z" },
  ],
];
test.each(connections)(
  "the erasure of an unstored customer removes the ids in sales if the business %s",
  async (_, now) => {
    const { crbId } = connection;
    for (const [i, customer] of ["c1", "c1", "c2"].entries()) {
      const sale = plainSale(String(i), 0, "2026-03-01T10:00:00.000Z", customer);
      if (sale.customer) sale.customer.dob = "1971-07-17";
      pos.put("sale", sale);
    }
    await run("sale");
    await changeCrb(table(), crbId, (crb) => ({ ...crb, connection: now }), clock);

    expect(await eraseCustomer(table(), crbId, idOf("c1"), { clock })).toEqual({ stored: false, sales: 2 });
    const items = await table().queryPartition(recordList(crbId, "sale").pk, { consistent: true });
    const customers = items.map(({ body }) => JSON.parse(body as string).customer);
    const anonymous = { customer_id: null, pos_customer_id: null, type: "rec", dob: null };
    const other = { customer_id: idOf("c2"), pos_customer_id: "c2", type: "rec", dob: "1971-07-17" };
    const sorted = customers.sort((one, two) => Number(one.dob !== null) - Number(two.dob !== null));
    expect(sorted).toMatchObject([anonymous, anonymous, other]);
    expect(await eraseCustomer(table(), crbId, idOf("c1"), { clock })).toEqual({ stored: false, sales: 0 });
  },
);

test("the erasure does not count sales of another customer with the same id in another POS", async () => {
  const { crbId } = connection;
  pos.put("customer", plainCustomer("1"));
  await run("customer");
  const id = idOf("1");
  connection.posType = "Treez";
  pos.put("sale", plainSale("1", 0, "2026-03-01T10:00:00.000Z", "1"));
  await run("sale");
  const saleKey = recordKey(recordList(crbId, "sale"), idOf("1", "sale"));
  const before = await table().get(saleKey);
  expect(before).toBeDefined();
  expect(await eraseCustomer(table(), crbId, id, { clock })).toEqual({ stored: true, sales: 0 });
  expect(await table().get(saleKey)).toEqual(before);
});

test('a customer whose POS id is "erased" can be searched, and is erased like others', async () => {
  const { crbId } = connection;
  pos.put("customer", { ...plainCustomer("erased"), anonymous: true });
  await run("customer");
  const found = async () => {
    const search = await searchCustomers(table(), crbId, { pos_customer_id: "erased" }, { offset: 0, limit: 9 });
    return (await search.read()).total;
  };
  expect(await found()).toBe(1);
  expect(await eraseCustomer(table(), crbId, idOf("erased"), { clock })).toEqual({ stored: true, sales: 0 });
  const { body } = (await table().get(recordKey(recordList(crbId, "customer"), idOf("erased")))) ?? expect.fail("gone");
  expect(JSON.parse(body as string)).toMatchObject({
    dob: null,
    address_1: null,
    phone: null,
    pos_customer_id: "erased",
  });
  expect(await found()).toBe(0);
  expect(await eraseCustomer(table(), crbId, idOf("erased"), { clock })).toEqual({ stored: false, sales: 0 });
});

describe("the erasure of a customer whose record was rejected", () => {
  const posId = "customer@example.com";

  beforeEach(async () => {
    pos.afterPage = (page, { kind }) => {
      const ids = kind === "customer" ? [posId, "another"] : [];
      return { ...page, rejected: ids.map((id) => ({ posId: id, field: "dob", reason: "invalid" })) };
    };
    await run("customer");
  });

  const rejected = async () => {
    const { count, records } = (await table().get(rejectedRecordsKey(connection.crbId, "customer"))) as Item &
      RejectedItem;
    return { count, ids: records.map(({ pos_id }) => pos_id).sort() };
  };

  const expectGone = async () => {
    const items = (await scan(table())).filter((item) => JSON.stringify(item).includes(connection.crbId));
    expect(items.length).toBeGreaterThan(5);
    expect(items.filter((item) => JSON.stringify(item).includes(posId)).map(itemId)).toEqual([]);
    expect(await rejected()).toEqual({ count: 1, ids: ["another"] });
  };

  test("removes the rejected record, and no later run stores it again", async () => {
    const { crbId } = connection;
    expect(await rejected()).toEqual({ count: 2, ids: ["another", posId] });
    expect(await eraseCustomer(table(), crbId, idOf(posId), { clock })).toEqual({ stored: false, sales: 0 });
    await expectGone();
    for (const isFullRead of [false, true]) {
      await run("customer", { isFullRead });
      await expectGone();
    }
  });

  test("removes the id from sales that contain only the POS id, also after a first call that was killed", async () => {
    const { customer: _, ...sale } = plainSale("1", 0, "2026-03-01T10:00:00.000Z", null);
    const invoice = { id: null, pos_customer_id: posId, memo: null, open_balance: null, total: null };
    pos.put("sale", { ...sale, type: "wholesale", customer: null, invoice } as PosSale);
    await run("sale");
    const { crbId } = connection;
    const crashing = testTableOf(table());
    const calls = interceptCalls(crashing);
    let crashes = 0;
    for (let isCut = true; isCut; crashes++) {
      crashAt(calls, 1 + (crashes >> 1), sides[crashes % 2] ?? "before");
      const erased = await eraseCustomer(crashing, crbId, idOf(posId), { clock }).catch(() => undefined);
      isCut = erased === undefined;
      clock.advance(61_000);
    }
    expect(crashes).toBeGreaterThan(6);
    await expectGone();
  });
});
