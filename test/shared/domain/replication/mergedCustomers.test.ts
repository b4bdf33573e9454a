import { beforeEach, describe, expect, test } from "vitest";
import { customer as customerSchema } from "../../../../shared/api/schemas/customer.ts";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { sensitiveHasher } from "../../../../shared/platform/crypto/sensitiveHasher.ts";
import { emptySaleCustomer, type PosSale, type PosWholesaleSale } from "../../../../shared/pos/posRecords.ts";
import { searchCustomers } from "../../../../shared/store/customers.ts";
import { erasedKey } from "../../../../shared/store/keys/replication.ts";
import { listSales } from "../../../../shared/store/sales.ts";
import { testTableOf } from "../../../testTable.ts";
import { crashAt, crashPoints, letCallsPass, sides } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { plainCustomer, plainSale, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const {
  table,
  calls,
  clock,
  pos,
  connection,
  runLater: run,
  records: readAll,
  idOf,
} = useReplication(new ScriptedPos(2));

/** A customer in the POS, merged into another one or not. */
const customer = (posId: string, mergedInto: string | null = null, version = 0) => ({
  ...plainCustomer(posId, version),
  dob: `1980-02-${posId.padStart(2, "0")}`,
  merged_into_pos_customer_id: mergedInto,
});
const sale = (posId: string, buyer: string, version = 0): PosSale => ({
  ...plainSale(posId, version, "2026-03-01T10:00:00.000Z", buyer),
  completed_by_replicated: true,
});
const wholesaleSale = (posId: string, buyer: string) => {
  const { customer: _, ...base } = sale(posId, buyer);
  const invoice = { id: "i", pos_customer_id: buyer, memo: null, open_balance: 0, total: 1_000 };
  const customer = { ...emptySaleCustomer, pos_customer_id: buyer };
  return { ...base, type: "wholesale", customer, invoice } as PosWholesaleSale;
};
const putCustomers = async (...customers: ReturnType<typeof customer>[]) => {
  pos.put("customer", ...customers);
  return run("customer");
};
const putSales = async (...sales: PosSale[]) => {
  pos.put("sale", ...sales);
  return run("sale");
};
const recordOf = async (posId: string) => (await readAll("customer")).find(({ id }) => id === idOf(posId));
/** The POS id, customer id and birth date in each sale, by the sale's id in the POS. */
const buyers = async () =>
  Object.fromEntries(
    (await readAll("sale")).map((one) => {
      const { pos_customer_id, customer_id, dob } = one.customer;
      if (pos_customer_id !== null) expect(customer_id).toBe(idOf(pos_customer_id));
      return [one.pos_sale_id, [pos_customer_id, dob]];
    }),
  );
const search = async (terms: Parameters<typeof searchCustomers>[2]) => {
  const page = await searchCustomers(table(), connection.crbId, terms, { offset: 0, limit: 100 });
  return (await page.read()).records.map((text) => JSON.parse(text).pos_customer_id).sort();
};

describe("a customer whom the POS merged into another one", () => {
  test("keeps its record, which names the other one, and only the other one is found by contact", async () => {
    const phone = "(303) 555-0150";
    await putCustomers({ ...customer("1"), phone }, { ...customer("2"), phone });
    const hashed = sensitiveHasher(connection.crbId).phone(phone) as string;
    expect(await search({ phone: hashed })).toEqual(["1", "2"]);
    const before = await recordOf("1");
    const result = await putCustomers({ ...customer("1", "2"), phone });
    expect(result).toMatchObject({ changed: 1 });
    const { svc_updated_date } = await recordOf("1");
    expect(await recordOf("1")).toEqual({ ...before, merged_into_customer_id: idOf("2"), svc_updated_date });
    expect(customerSchema.parse(await recordOf("1"))).toEqual(await recordOf("1"));
    expect(await recordOf("2")).toMatchObject({ merged_into_customer_id: null });
    expect(await search({ phone: hashed })).toEqual(["2"]);
    expect(await search({ pos_customer_id: "1" })).toEqual(["1"]);
  });

  test("is not named by new and changed sales, but by earlier ones", async () => {
    await putCustomers(customer("1"), customer("2"));
    await putSales(sale("a", "1"), sale("b", "1"));
    await putCustomers(customer("1", "2"));
    await putSales(sale("b", "1", 1), sale("c", "1"), sale("d", "2"));
    const ofOther = ["2", "1980-02-02"];
    expect(await buyers()).toEqual({ a: ["1", "1980-02-01"], b: ofOther, c: ofOther, d: ofOther });
    const found = await listSales(table(), connection.crbId, { offset: 0, limit: 10, customer_id: idOf("2") });
    expect((await found.read()).total).toBe(3);
  });

  test.each([
    ["in a chain", ["1 into 2", "2 into 3", "3 into 4", "4"], "4"],
    ["in a chain that comes backwards", ["4", "3 into 4", "2 into 3", "1 into 2"], "4"],
    ["into itself", ["1 into 1"], "1"],
    ["into one who is never read", ["1 into 9"], "1"],
    ["in a chain into one who is never read", ["1 into 2", "2 into 9"], "2"],
  ])("%s is replaced in sales by the last of them who is stored", async (_, merges, expected) => {
    const split = merges.map((merge) => merge.split(" into "));
    await putCustomers(...split.map(([posId = "", into = null]) => customer(posId, into)));
    await putSales(sale("a", "1"));
    expect(await buyers()).toMatchObject({ a: [expected, expect.anything()] });
  });

  test("in a circle is replaced by the same one of the circle in all sales", async () => {
    await putCustomers(customer("1", "2"), customer("2", "3"), customer("3", "1"), customer("4", "3"));
    await putSales(...["1", "2", "3", "4"].map((posId) => sale(`s${posId}`, posId)));
    const found = new Set((await readAll("sale")).map(({ customer }) => customer.pos_customer_id));
    expect(found.size).toBe(1);
  });

  test("into one who comes later is replaced from then on", async () => {
    await putCustomers(customer("1", "2"));
    await putSales(sale("a", "1"));
    expect(await buyers()).toEqual({ a: ["1", "1980-02-01"] });
    await putCustomers(customer("2"));
    await putSales(sale("a", "1"));
    expect(await buyers()).toEqual({ a: ["2", "1980-02-02"] });
  });

  test("is a customer again once the POS undoes the merge", async () => {
    await putCustomers(customer("1", "2"), customer("2"));
    const email = sensitiveHasher(connection.crbId).email("plain.mail1@example.com") as string;
    expect(await search({ email })).toEqual([]);
    await putCustomers(customer("1"));
    await putSales(sale("a", "1"));
    expect(await recordOf("1")).toMatchObject({ merged_into_customer_id: null });
    expect(await search({ email })).toEqual(["1"]);
    expect(await buyers()).toMatchObject({ a: ["1", "1980-02-01"] });
  });

  test("is replaced in an invoice, too", async () => {
    await putCustomers(customer("1", "2"), customer("2"));
    await putSales(wholesaleSale("a", "1"));
    expect(await readAll("sale")).toMatchObject([
      { customer: { pos_customer_id: "2" }, invoice: { pos_customer_id: "2" } },
    ]);
  });
});

describe("the erasure of merged customers", () => {
  const posIds = ["1", "2", "3", "4"];
  beforeEach(async () => {
    // Sales of all of them are stored before the merge, so each sale names another one.
    await putCustomers(...posIds.map((posId) => customer(posId)), customer("7"));
    await putSales(...posIds.map((posId) => sale(`s${posId}`, posId)), sale("s7", "7"));
    await putCustomers(customer("1", "2"), customer("2", "3"), customer("4", "3"));
  });

  const expectErased = async () => {
    const personal = JSON.stringify([await readAll("customer"), await readAll("sale")]);
    for (const posId of posIds) {
      expect(await recordOf(posId)).toMatchObject({ pos_customer_id: "erased", dob: null });
      expect(personal).not.toContain(`1980-02-0${posId}`);
      expect(await table().get(erasedKey(connection.crbId, idOf(posId)), { consistent: true })).toMatchObject({
        announced: true,
      });
    }
    expect(await buyers()).toMatchObject({ s1: [null, null], s2: [null, null], s3: [null, null], s4: [null, null] });
    expect(await recordOf("7")).toMatchObject({ pos_customer_id: "7" });
    expect(await buyers()).toMatchObject({ s7: ["7", "1980-02-07"] });
  };

  test.each(posIds)("covers all of them and their sales, whichever of them it names (%s)", async (posId) => {
    const erased = await eraseCustomer(table(), connection.crbId, idOf(posId), { clock });
    expect(erased).toEqual({ stored: true, sales: 4 });
    await expectErased();
    // The POS still has them.
    await putCustomers(...posIds.map((one) => customer(one, one === "3" ? null : "3", 1)));
    await putSales(...posIds.map((one) => sale(`s${one}`, one, 1)));
    await expectErased();
  });

  test.each(["1", "3"])("is finished by a second call if the first is killed (%s)", async (posId) => {
    for (const write of crashPoints(60)) {
      const killed = testTableOf(table());
      crashAt(interceptCalls(killed), write, sides[write % 2] ?? "before");
      await eraseCustomer(killed, connection.crbId, idOf(posId), { clock }).catch(() => undefined);
      clock.advance(61_000);
    }
    await eraseCustomer(table(), connection.crbId, idOf(posId), { clock });
    await expectErased();
  });

  test("covers a customer who is not stored yet, if another one was merged into it", async () => {
    await putCustomers(customer("3", "9"));
    await eraseCustomer(table(), connection.crbId, idOf("1"), { clock });
    await putCustomers(customer("9"));
    expect(await recordOf("9")).toBeUndefined();
  });

  test("covers those whom the POS merges into an erased customer later, except their earlier sales", async () => {
    await eraseCustomer(table(), connection.crbId, idOf("3"), { clock });
    await putCustomers(customer("8", "7"), customer("7", "3"));
    await putSales(sale("s8", "8"), sale("t7", "7"));
    for (const posId of ["7", "8"])
      expect(await recordOf(posId)).toMatchObject({ pos_customer_id: "erased", dob: null });
    expect(await buyers()).toMatchObject({ s8: [null, null], t7: [null, null], s7: ["7", "1980-02-07"] });
    await eraseCustomer(table(), connection.crbId, idOf("7"), { clock });
    expect(await buyers()).toMatchObject({ s7: [null, null] });
    // They stay erased, even if the POS undoes the merge.
    await putCustomers(customer("7"), customer("8"));
    for (const posId of ["7", "8"]) expect(await recordOf(posId)).toMatchObject({ pos_customer_id: "erased" });
  });

  test.each([
    ["the merged customer", "7", false],
    ["the customer of the first erasure", "3", false],
    ["the merged customer, after a run that was killed before it marked this customer as erased", "7", true],
  ])("covers earlier wholesale sales once it names %s", async (_, posId, isKilled) => {
    await putSales(wholesaleSale("w7", "7"));
    await eraseCustomer(table(), connection.crbId, idOf("3"), { clock });
    calls.before = (_command, input) => {
      if (isKilled && JSON.stringify(input).includes("erased_at")) throw new Error("killed");
    };
    await putCustomers(customer("7", "3")).catch(() => clock.advance(61_000));
    letCallsPass(calls);
    expect(await recordOf("7")).toMatchObject({ pos_customer_id: "erased" });
    const ofWholesale = async () => (await readAll("sale")).find(({ pos_sale_id }) => pos_sale_id === "w7");
    expect(await ofWholesale()).toMatchObject({
      customer: { pos_customer_id: "7" },
      invoice: { pos_customer_id: "7" },
    });
    await eraseCustomer(table(), connection.crbId, idOf(posId), { clock });
    const nobody = { customer: { customer_id: null, pos_customer_id: null }, invoice: { pos_customer_id: null } };
    expect(await ofWholesale()).toMatchObject(nobody);
    expect(await table().get(erasedKey(connection.crbId, idOf("7")))).not.toHaveProperty("pos_id");
  });

  test("of a customer who is merged into another one later does not cover the other one", async () => {
    await eraseCustomer(table(), connection.crbId, idOf("7"), { clock });
    await putCustomers(customer("7", "3"));
    await putSales(sale("t7", "7"));
    expect(await recordOf("7")).toMatchObject({ pos_customer_id: "erased" });
    expect(await recordOf("3")).toMatchObject({ pos_customer_id: "3" });
    expect(await buyers()).toMatchObject({ t7: [null, null] });
  });
});
