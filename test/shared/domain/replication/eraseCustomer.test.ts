import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { customer as customerSchema } from "../../../../shared/api/schemas/customer.ts";
import { retailSale, wholesaleSale } from "../../../../shared/api/schemas/sale.ts";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { type CustomerSearchField, searchCustomers } from "../../../../shared/store/customers.ts";
import { recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { erasedKey, replicationKey } from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { listSales } from "../../../../shared/store/sales.ts";
import { readSalesWeeks } from "../../../../shared/store/salesDays/salesWeek.ts";
import { storeCrb } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "./acquireFreeLease.ts";

useTestServiceKey();

const maxRecords: { [Kind in RecordKind]?: number } = { customer: 500, sale: 500 };
const sandbox = sandboxConnector(900);
/** The sandbox with its first customers and sales. It has thousands, but these are enough. */
const pos: Connector = {
  ...sandbox,
  async pull(connection, request) {
    const page = await sandbox.pull(connection, request);
    const read = Number(request.position ?? 0) + page.records.length;
    const max = maxRecords[request.kind];
    if (!max || read < max) return page;
    return { ...page, total: max, next: { watermark: request.now.toISOString() } };
  },
};

describe.each(["retail", "wholesale"] as const)("erasing a customer of a %s business", (businessType) => {
  let table: Table;
  let connection: Connection;
  const clock = new TestClock("2026-03-01T12:00:00.000Z");

  const run = async (kind: RecordKind) => {
    expect(await replicate(table, connection, pos, kind, { clock })).toMatchObject({ outcome: "finished" });
  };
  const readAll = async (kind: RecordKind, order: "rank" | "saleRank" = "rank") => {
    const list = recordList(connection.crbId, kind);
    const { total, records } = await readPage(table, list, { offset: 0, limit: 10_000 }, { order });
    expect(records).toHaveLength(total);
    return records.map((text) => JSON.parse(text));
  };

  /** The counts and sums of all sales days. */
  const readTotals = async () => {
    const weeks = await readSalesWeeks(table, recordList(connection.crbId, "sale").totalsPartition ?? "");
    const days = weeks.flatMap((week) => [...week.days].map(([day, { figures }]) => [day, figures] as const));
    expect(days.length).toBeGreaterThan(1);
    return days;
  };

  /** The POS id with which a customer is listed. */
  const readPosId = async (id: string) => (await readAll("customer")).find((each) => each.id === id)?.pos_customer_id;

  beforeAll(async () => {
    table = await createTestTable();
    const posType = businessType === "retail" ? "Dutchie" : "Canix";
    connection = { ...testConnection, crbId: randomUUID(), businessType, posType };
    await storeCrb(table, connection, { record: { business_type: businessType } });
    await run("customer");
    await run("sale");
  });

  test("anonymizes the record, removes its index entries and its ids in sales, and replication restores none of them", async () => {
    const [customers, sales] = [await readAll("customer"), await readAll("sale")];
    const posIdOf = (sale: (typeof sales)[number]) => sale.customer?.pos_customer_id ?? sale.invoice?.pos_customer_id;
    const buyers = new Set(sales.map(posIdOf));
    const customer = customers.find(({ pos_customer_id }) => buyers.has(pos_customer_id)) ?? expect.fail("no buyer");
    const posId: string = customer.pos_customer_id;
    const named = sales.filter((sale) =>
      [sale.customer?.pos_customer_id, sale.invoice?.pos_customer_id].includes(posId),
    );
    expect(named.length).toBeGreaterThan(0);
    const totals = await readTotals();

    clock.advance(1_000);
    expect(await eraseCustomer(table, connection.crbId, customer.id, { clock })).toEqual({
      stored: true,
      sales: named.length,
    });

    const expectErased = async () => {
      const [first, ...others] = await readAll("customer");
      expect(others).toEqual(customers.filter(({ id }) => id !== customer.id));
      expect(customerSchema.parse(first)).toEqual(anonymousRecord(customer, first.svc_updated_date));
      expect(first.svc_updated_date > customer.svc_updated_date).toBe(true);
      expect(await readTotals()).toEqual(totals);
      const remainingSales = await readAll("sale");
      expect(remainingSales.length).toBe(sales.length);
      expect((await readAll("sale", "saleRank")).length).toBe(sales.length);
      expect(JSON.stringify(remainingSales)).not.toContain(`"${posId}"`);
      expect(JSON.stringify(remainingSales)).not.toContain(customer.id);
      const schema = businessType === "retail" ? retailSale : wholesaleSale;
      for (const sale of remainingSales) expect(schema.parse(sale)).toEqual(sale);
      for (const terms of [{ customer_id: customer.id }, { pos_customer_id: posId }]) {
        const found = await (await listSales(table, connection.crbId, { offset: 0, limit: 10, ...terms })).read();
        expect(found).toEqual({ total: 0, records: [] });
      }
      const { phone, email_address: email } = customer;
      const searched = { phone, email, pos_customer_id: posId, first_name: customer.first_name };
      for (const [field, value] of Object.entries(searched)) {
        if (value === null) continue;
        const terms = { [field as CustomerSearchField]: value };
        const found = await searchCustomers(table, connection.crbId, terms, { offset: 0, limit: 100 });
        expect((await found.read()).records.map((text) => JSON.parse(text).id)).not.toContain(customer.id);
      }
      const erased = { pos_customer_id: "erased" };
      const byRest = await searchCustomers(table, connection.crbId, erased, { offset: 0, limit: 1 });
      expect(await byRest.read()).toEqual({ total: 0, records: [] });
    };
    await expectErased();
    // A run from the beginning reads everything that the POS still has.
    for (const kind of ["customer", "sale"] as const) {
      await table.update(replicationKey(connection.crbId, kind), { since: null });
      await run(kind);
    }
    await expectErased();
    expect(await eraseCustomer(table, connection.crbId, customer.id, { clock })).toEqual({ stored: false, sales: 0 });
  });

  if (businessType === "retail") {
    test("of an unstored customer keeps that customer out, and removes the ids in sales", async () => {
      const { crbId } = connection;
      const ids = (await readAll("sale")).map((sale) => sale.customer?.customer_id);
      const stored = new Set((await readAll("customer")).map(({ id }) => id));
      const customerId: string = ids.find((id) => stored.has(id)) ?? expect.fail("no sale of a stored customer");
      const key = recordKey(recordList(crbId, "customer"), customerId);
      await table.delete(key);
      expect(await eraseCustomer(table, crbId, customerId, { clock })).toEqual({
        stored: false,
        sales: ids.filter((id) => id === customerId).length,
      });
      expect(JSON.stringify(await readAll("sale"))).not.toContain(customerId);
      await table.update(replicationKey(crbId, "customer"), { since: null });
      await run("customer");
      expect(await table.get(key)).toBeUndefined();
    });
    return;
  }

  test("waits for a running replication", async () => {
    const customer = (await readAll("customer")).at(-1);
    const lease = await acquireFreeLease(table, connection.crbId, "sale", clock);
    const erasing = eraseCustomer(table, connection.crbId, customer.id, {
      clock: {
        now: () => clock.now(),
        sleep: async () => {
          expect(await readPosId(customer.id)).toBe(customer.pos_customer_id);
          await lease.release();
        },
      },
    });
    expect(await erasing).toBeDefined();
    expect(await readPosId(customer.id)).toBe("erased");
  });

  test("starts again if another worker acquires the lease, and still counts each sale once", async () => {
    const posIds = (await readAll("sale")).map(
      ({ customer, invoice }) => customer?.pos_customer_id ?? invoice?.pos_customer_id,
    );
    const customer = (await readAll("customer")).find(({ pos_customer_id }) => posIds.includes(pos_customer_id));
    const slow = testTableOf(table);
    const calls = interceptCalls(slow);
    let reads = 0;
    calls.before = async (command) => {
      if (command !== "BatchGetItemCommand" || reads++ > 0) return;
      clock.advance(61_000);
      await (await acquireFreeLease(table, connection.crbId, "sale", clock)).release();
    };
    const sales = posIds.filter((id) => id === customer.pos_customer_id).length;
    expect(await eraseCustomer(slow, connection.crbId, customer.id, { clock })).toEqual({ stored: true, sales });
    expect([reads > 1, await readPosId(customer.id)]).toEqual([true, "erased"]);
  });

  test("includes a customer that a running replication writes meanwhile", async () => {
    const customer = (await readAll("customer")).at(-1);
    const key = recordKey(recordList(connection.crbId, "customer"), customer.id);
    const item = (await table.get(key)) ?? expect.fail("no customer");
    await table.delete(key);
    const lease = await acquireFreeLease(table, connection.crbId, "customer", clock);
    const erasing = eraseCustomer(table, connection.crbId, customer.id, {
      clock: {
        now: () => clock.now(),
        sleep: async () => {
          await table.put(item);
          await lease.release();
        },
      },
    });
    expect(await erasing).toMatchObject({ stored: true });
    expect(await readPosId(customer.id)).toBe("erased");
  });
});

/** The record of an erased customer as docs/spec.md#erased-customers defines it. */
function anonymousRecord(customer: Record<string, unknown>, svc_updated_date: string) {
  const { crb_id, id, pos_type, svc_created_date } = customer;
  const nothing = Object.fromEntries(Object.keys(customer).map((name) => [name, null]));
  const rest = { crb_id, id, pos_type, pos_customer_id: "erased", anonymous: true };
  return { ...nothing, ...rest, svc_created_date, svc_updated_date };
}

test("the erasure of a customer of an unknown CRB does nothing", async () => {
  const table = await createTestTable();
  const [crbId, customerId] = [randomUUID(), randomUUID()];
  expect(await eraseCustomer(table, crbId, customerId)).toBeUndefined();
  expect(await table.get(erasedKey(crbId, customerId))).toBeUndefined();
  for (const kind of ["customer", "sale"] as const) {
    expect(await table.get(replicationKey(crbId, kind))).toBeUndefined();
  }
});

test("a digest that a purge removes just before the erasure's last write is not stored again", async () => {
  const table = await createTestTable();
  const [crbId, customerId] = [randomUUID(), randomUUID()];
  await storeCrb(table, { ...testConnection, crbId });
  const slow = testTableOf(table);
  let purged = 0;
  interceptCalls(slow).before = async (command, input) => {
    if (command !== "TransactWriteItemsCommand" || !JSON.stringify(input).includes("announced")) return;
    purged++;
    await table.delete(erasedKey(crbId, customerId));
  };
  expect(await eraseCustomer(slow, crbId, customerId)).toEqual({ stored: false, sales: 0 });
  expect([purged, await table.get(erasedKey(crbId, customerId))]).toEqual([1, undefined]);
});
