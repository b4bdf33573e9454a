import { describe, expect, test } from "vitest";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { compareSums } from "../../../shared/domain/replication/compareSums.ts";
import { sampleCases } from "../../thorough.ts";
import { breakRows } from "./fakes/breakRows.ts";
import { expectedRecords, unplannedRejections } from "./fakes/expectedRecords.ts";
import { connectorTo, isVerifying, kindsAmong, kindsOf, type PosName, posNames, traitsOf } from "./fakes/fakePos.ts";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import type { PulledRecords } from "./fakes/pulls.ts";
import type { ShopSale } from "./fakes/shop.ts";

// Behavior that is the same for every POS. The differences are in the tests of each connector, and failures in
// realConnectorFailures.test.ts.

// Each connector has code of its own for these rules.
describe.each(posNames)("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");
  const traits = traitsOf(name);
  const day = 24 * 60;
  const recordOf = ({ records }: PulledRecords<"sale">, { number, uuid }: ShopSale) =>
    [...records].find(([id]) => id === uuid || id.endsWith(String(number)))?.[1];

  test("a verification checks the credentials again, although they were valid before", async () => {
    const { server, connection } = fake.pos;
    const connector = fake.pos.connector();
    const requested = async () => {
      server.requests.length = 0;
      await connector.verify(connection);
      return server.requests.map(({ path }) => path);
    };
    expect(await requested()).toEqual(await requested());
  });

  test.each([traits.missingKey ?? []].flat())(
    "without one of the service's own keys no request is sent, and the POS counts as unreachable (%s)",
    async (code) => {
      const { connection, server, address } = fake.pos;
      for (const key of Object.keys(address.partnerKeys)) {
        const partnerKeys = { ...address.partnerKeys, [key]: "" };
        const connector = connectorTo(name, { ...address, partnerKeys });
        const request = { kind: "sale", since: null, position: null, now: fake.now } as const;
        for (const call of [connector.verify(connection), connector.pull(connection, request)]) {
          await expect(call).rejects.toMatchObject({ failure: "unreachable", code });
        }
      }
      expect(server.requests).toEqual([]);
    },
  );

  test.each(traits.hasForeign ?? [])("rows of other stores are dropped and counted (%s)", async (kind) => {
    const { foreign, records } = await fake.pull(kind);
    expect(foreign).toBeGreaterThan(0);
    expect(records.size).toBe(expectedRecords(name, fake.pos.shop)[kind]);
  });

  test.each(kindsAmong(name, "inventory", "sale"))(
    "rows of unknown meaning are rejected, not dropped (%s)",
    async (kind) => {
      const { rejected, ids } = await fake.pull(kind);
      const found = new Set(rejected.map(({ field, reason }) => `${field}: ${reason}`));
      expect(found).toEqual(new Set(traits.unknown[kind]?.map((field) => `${field}: unknown_status`)));
      expect(rejected.filter(({ posId }) => ids.includes(posId))).toEqual([]);
    },
  );

  test.each(kindsAmong(name, "sale"))("a %s that is undone becomes 0 if it is stored, or is not read", async (kind) => {
    const { shop } = fake.pos;
    const stored = shop.sell(fake.now.getTime() - 60_000);
    const other = traits.undoing === "void" ? null : shop.sell(fake.now.getTime() - 60_000);
    if (other) shop.cancelSale(other);
    const pulled = await fake.pull(kind);
    fake.later(1);
    if (traits.undoing === "void") shop.voidSale(stored);
    else shop.cancelSale(stored);
    await pulled.pull(fake.later(traits.undoing === "cancel at night" ? day : 60));
    expect(recordOf(pulled, stored)).toMatchObject({ transaction_type: "adjustment", total_paid: 0 });
    if (other) expect(recordOf(pulled, other)).toBeUndefined();
  });

  test.each(traits.readsDaysAgain ? kindsAmong(name, "sale") : [])(
    "a %s that appears late is found by the next pull, or after some days at night",
    async (kind) => {
      const pulled = await fake.pull(kind);
      const [young, old] = [2, 20].map((days) => fake.pos.shop.sell(fake.now.getTime() - days * day * 60_000));
      const found = () => [young, old].map((sale) => recordOf(pulled, sale as ShopSale) !== undefined);
      await pulled.pull(fake.later(60));
      expect(found()).toEqual([true, false]);
      await pulled.pull(fake.later(day));
      expect(found()).toEqual([true, true]);
      expect((await pulled.pull(fake.later(60))).read).toBeLessThan(pulled.records.size / 2);
    },
  );

  test.each(traits.streams ?? [])("the rows of an interrupted response count once (%s)", async (kind) => {
    fake.pos.server.rewrite = (body) => breakRows(name, body, kind);
    const { records, rejected, foreign } = await fake.pull(kind);
    const interrupted = new Set<string>();
    fake.pos.server.faults = (request) => {
      if (isVerifying(name, request) || interrupted.has(request.path)) return undefined;
      interrupted.add(request.path);
      return { kind: "cutHalfway" };
    };
    expect(await fake.pull(kind)).toMatchObject({ records, rejected, foreign });
    expect(interrupted.size).toBeGreaterThan(0);
  });
});

describe.each(sampleCases(posNames, 4))("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");
  const traits = traitsOf(name);
  const kinds = kindsOf(name);

  test("a location that the credentials cannot read is gone", async () => {
    const pull = fake.pull("location", { locationId: "elsewhere" });
    await expect(pull).rejects.toMatchObject({ failure: "locationGone" });
  });

  test("a first pull reads every record once", async () => {
    const { shop } = fake.pos;
    const counts = new Map<RecordKind, number>();
    for (const kind of recordKinds) {
      const pulled = await fake.pull(kind);
      counts.set(kind, pulled.records.size);
      expect(unplannedRejections(pulled.rejected)).toEqual([]);
    }
    expect(Object.fromEntries(counts)).toEqual(expectedRecords(name, shop));
  });

  test.each(kinds)("a pull reports whether it has read every %s, or only changes", async (kind) => {
    const pulled = await fake.pull(kind);
    expect(pulled.readAll).toBe(true);
    await pulled.pull(fake.later(60));
    expect(pulled.readAll).toBe(kind === "location" || traits.readsWhole.includes(kind));
  });

  const amounts = "the amounts of every %s match: its lines, totals and payments";
  test.each(kindsAmong(name, "sale"))(amounts, async (kind) => {
    const { records } = await fake.pull(kind);
    for (const sale of records.values()) {
      const sum = (parts: { flat_amount: number | null }[]) =>
        parts.reduce((sum, part) => sum + (part.flat_amount ?? 0), 0);
      const gross = sale.line_items.reduce((sum, line) => sum + (line.num_units ?? 0) * (line.price_per_unit ?? 0), 0);
      const carried = sale.line_items.flatMap(({ line_item_taxes }) => line_item_taxes);
      expect(compareSums([sale])).toEqual({ compared: 1, mismatched: 0 });
      expect(sale.total_paid).toBe(sale.payments.reduce((sum, { amount_paid }) => sum + (amount_paid ?? 0), 0));
      if (sale.transaction_type === "return") expect(sale.total_paid).toBeLessThan(0);
      const isTotalOnly = {
        sales: sale.transaction_type !== "adjustment",
        returns: sale.transaction_type === "return",
      };
      if (traits.tellsTotalsOnly && isTotalOnly[traits.tellsTotalsOnly]) {
        expect([sale.subtotal, sale.total_discounts, sale.tax_paid]).toEqual([null, null, null]);
        continue;
      }
      // A POS may report only the number of returned units.
      const isPriced = sale.line_items.every(({ price_per_unit }) => price_per_unit !== null);
      if (isPriced) expect(sale.subtotal).toBe(gross - (sale.total_discounts ?? 0));
      else expect(sale.transaction_type).toBe("return");
      expect(sale.tax_paid).toBe(sum([...sale.taxes, ...carried]));
    }
  });

  test.each(kindsAmong(name, "customer", "product", "sale"))(
    "a later pull reads only the %ss that are new or changed",
    async (kind) => {
      const pulled = await fake.pull(kind);
      const { read } = pulled;
      const [customer, product] = [fake.pos.shop.customers[0], fake.pos.shop.products[0]];
      if (!customer || !product) throw new Error("an empty shop");
      fake.later(60);
      fake.pos.shop.changeCustomer(customer);
      fake.pos.shop.changeProduct(product);
      const added = {
        customer: fake.pos.shop.addCustomer(),
        product: fake.pos.shop.addProduct(),
        sale: fake.pos.shop.sell(),
      }[kind];
      fake.pos.shop.addPackage(fake.now.getTime(), fake.pos.shop.products.at(-1));
      fake.pos.shop.sell().customer = fake.pos.shop.customers.at(-1) ?? null;
      fake.later(1);
      await pulled.pull(fake.now);
      expect(pulled.read).toBeGreaterThan(0);
      const isWhole = traits.readsWhole.includes(kind) || (kind === "sale" && traits.readsDaysAgain);
      if (!isWhole) expect(pulled.read).toBeLessThan(read / 2);
      expect(pulled.ids.some((id) => id.endsWith(String(added.number)) || id === added.uuid)).toBe(true);
      expect(pulled.records).toEqual(await fake.afresh(kind));
    },
  );

  const [dated = "product"] = kindsAmong(name, "sale", "customer");
  test(`a ${dated} that is written in the second in which a pull starts is never missed`, async () => {
    const pulled = await fake.pull(dated);
    for (const offset of [-1000, -999, -1, 0, 1, 999, 1000]) {
      const { shop } = fake.pos;
      const at = fake.now.getTime() + offset;
      const added = {
        sale: () => shop.sell(at),
        customer: () => shop.addCustomer(at),
        product: () => shop.addProduct(at),
      };
      const { number } = added[dated]();
      await pulled.pull(fake.later(5));
      expect(pulled.ids.some((id) => id.endsWith(String(number)))).toBe(true);
    }
    expect(pulled.records).toEqual(await fake.afresh(dated));
  });

  test("another process continues a pull after any page", async () => {
    for (const kind of kinds) {
      const isQuiet = await fake.afresh(kind);
      const pulled = fake.puller<RecordKind>(kind);
      const known = async (ids: readonly string[]) => new Set(ids.filter((id) => pulled.records.has(id)));
      for await (const page of fake.pages<RecordKind>(kind, { known })) pulled.take(page);
      expect(pulled.records).toEqual(isQuiet);
    }
  });

  test("a malformed position or watermark leads to a pull from the beginning", async () => {
    for (const kind of kinds) {
      const pulled = fake.puller(kind);
      pulled.watermark = '{"from":"yesterday"}';
      await pulled.pull(fake.now);
      expect(pulled.records).toEqual(await fake.afresh(kind));
      const page = await fake.page(kind, { position: '{"page":2}' });
      expect(unplannedRejections(page.rejected)).toEqual([]);
    }
  });
});
