import { expect, test } from "vitest";
import { uploadedPosTypes } from "../../../../shared/api/pos/posTypes.ts";
import { replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { rarerNames, readPaymentNames } from "../../../../shared/domain/replication/seenPaymentNames.ts";
import { namedPayment } from "../../../../shared/pos/framework/conversions/paymentType.ts";
import type { PosPayment, PosSale } from "../../../../shared/pos/posRecords.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { paymentNamesKey } from "../../../../shared/store/keys/replication.ts";
import { readSalesWeeks } from "../../../../shared/store/salesDays/salesWeek.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../store/crashInjection.ts";
import { plainSale, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(3));
const { table, calls, clock, pos, connection, reset } = one;
const run = (isFullRead = false) => one.run("sale", { isFullRead });

function sale(id: string, ...payments: PosPayment[]): PosSale {
  const total = payments.reduce((sum, { amount_paid }) => sum + (amount_paid ?? 0), 0);
  const whole = { subtotal: total, total_paid: total, payments };
  return { ...plainSale(id, 0, "2026-02-27T18:00:00.000Z", null), ...whole };
}

/** Names, types and counts, the most frequent first. */
async function seen(): Promise<string[]> {
  const names = await readPaymentNames(table(), connection.crbId);
  return names
    .map(({ name, type, sales }) => `${name} (${type}): ${sales.count}`)
    .sort((one, other) => (one < other ? -1 : 1));
}

test("a run keeps each name with its type and its number of sales", async () => {
  pos.put("sale", sale("1", namedPayment(500, "Cash")), sale("2", namedPayment(400, "Cash App")));
  pos.put("sale", sale("3", namedPayment(200, "Cash"), namedPayment(300, "Cash"), namedPayment(100, "Visa")));
  pos.put("sale", sale("4", { type: "unknown", amount_paid: 700 }), sale("5"));
  expect(await run()).toMatchObject({ outcome: "finished", created: 5 });
  expect(await seen()).toEqual(["Cash (cash): 2", "Cash App (other): 1", "Visa (credit): 1", "null (unknown): 1"]);
});

test("the cash of a day has only payments that are certainly cash", async () => {
  const names = ["Cash App", "Non-Cash", "CASHBACK", "Cash Discount", "GCash", "Petty Cash", "Cash Zorp", "Cash Card"];
  pos.put("sale", ...names.map((name, i) => sale(`x${i}`, namedPayment(10_000, name))));
  pos.put("sale", sale("a", namedPayment(1_500, "Cash Drawer 2")), sale("b", namedPayment(2_500, "Efectivo")));
  await run();
  const [week] = await readSalesWeeks(table(), recordList(connection.crbId, "sale").totalsPartition ?? "");
  const { figures } = week?.days.get("2026-02-27") ?? {};
  expect(figures).toMatchObject({ "cash.payments": 2, "cash.amount": 4_000, "other.amount": 80_000 });
});

test("a sale that is read again, also with changes, counts once for each name", async () => {
  pos.put("sale", sale("1", namedPayment(500, "Cash")));
  await run();
  clock.advance(60_000);
  pos.put("sale", sale("1", namedPayment(600, "Cash")), sale("2", namedPayment(100, "Cash")));
  await run();
  expect(await seen()).toEqual(["Cash (cash): 2"]);
});

test("a reading of all sales begins again, so that names and types of the past vanish", async () => {
  pos.put("sale", sale("1", { type: "cash", amount_paid: 500, pos_name: "Venmo" }));
  await run();
  pos.put("sale", sale("1", namedPayment(500, "Venmo")));
  await run(true);
  expect(await seen()).toEqual(["Venmo (other): 1"]);
});

test("each file of an upload adds its sales", async () => {
  connection.posType = uploadedPosTypes.retail;
  pos.put("sale", sale("1", namedPayment(500, "Bar cash")));
  await run(true);
  pos.put("sale", sale("2", namedPayment(500, "Bar cash")));
  await run(true);
  expect(await seen()).toEqual(["Bar cash (cash): 2"]);
});

test("numbers, mail addresses, invisible characters and long texts are not kept", async () => {
  const names = ["Check #4711", "Check #4712", "Zelle kim@example.com", "Ca\u200bsh", `Venmo ${"x".repeat(100)}`];
  pos.put("sale", ...names.map((name, i) => sale(String(i), namedPayment(100, name))));
  await run();
  const found = await readPaymentNames(table(), connection.crbId);
  expect(found.map(({ name }) => name).sort()).toEqual(["Cash", "Check ##", `Venmo ${"x".repeat(34)}`, "Zelle @"]);
  expect(found.find(({ name }) => name === "Check ##")?.sales.count).toBe(2);
});

test("free text cannot fill the item: the rarest names are counted together, and frequent ones stay", async () => {
  pos.pageSize = 50;
  const letters = (i: number) => `${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`;
  for (let i = 0; i < 300; i++) pos.put("sale", sale(`free${i}`, namedPayment(100, `Text x${letters(i)}`)));
  for (let i = 0; i < 20; i++) pos.put("sale", sale(`cash${i}`, namedPayment(100, "Cash")));
  await run();
  const found = await readPaymentNames(table(), connection.crbId);
  expect(found).toHaveLength(41);
  const countOf = (wanted: string) => found.find(({ name }) => name === wanted)?.sales.count;
  expect(countOf("Cash")).toBe(20);
  expect(countOf(rarerNames)).toBeGreaterThan(200);
});

test.each(sides)("after a crash %s a write, the next run gives the same counts", async (side) => {
  const paid = ["Cash", "Cash App", "Debit", "Cash", "CanPay", "Cash", "Cash"];
  const give = () => pos.put("sale", ...paid.map((name, i) => sale(String(i), namedPayment(100, name))));
  give();
  const writes = await writesOf(calls, run);
  for (const write of crashPoints(writes)) {
    await reset();
    give();
    crashAt(calls, write, side);
    // Some last writes may fail without a failure of the run.
    await run().catch(({ message }: Error) => expect(message).toBe("killed"));
    letCallsPass(calls);
    clock.advance(replicationLeaseMs);
    await run();
    expect(await seen()).toEqual(["CanPay (ach): 1", "Cash (cash): 4", "Cash App (other): 1", "Debit (debit): 1"]);
  }
});

test("the item of a CRB stays below DynamoDB's limit", async () => {
  pos.pageSize = 500;
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";
  const payments = [...letters].map((letter) => namedPayment(1, `${letter.repeat(200)}`));
  for (let i = 0; i < 500; i++) pos.put("sale", sale(String(i), ...payments));
  await run();
  const item = await table().get(paymentNamesKey(connection.crbId), { consistent: true });
  const names = item?.names as { name: string; sales: Uint8Array }[];
  expect(names.reduce((sum, { name, sales }) => sum + name.length + sales.byteLength, 0)).toBeLessThan(70_000);
  expect(names).toHaveLength(40);
});
