import { describe, expect, test } from "vitest";
import { productCategories } from "../../../../shared/api/enumerations.ts";
import type { PosInventory, PosProduct } from "../../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { pullAll, testConnection } from "./testConnection.ts";

const connector = sandboxConnector(15);
const start = testConnection.connectedAt;
const later = "2026-03-01T03:00:00.000Z";
const byId = (records: readonly PosInventory[]) => new Map(records.map((record) => [record.pos_inventory_id, record]));

describe.each([
  { businessType: "retail", packages: 600, products: 400 },
  { businessType: "wholesale", packages: 250, products: 150 },
] as const)("stock of a $businessType business", ({ businessType, packages, products }) => {
  const connection = { ...testConnection, businessType };
  const pull = (now: string, since: string | null = null) => pullAll("inventory", connector, connection, since, now);
  const pullProducts = (now: string, since: string | null = null) =>
    pullAll("product", connector, connection, since, now);

  test("is listed completely by each pull, each package once", async () => {
    for (const [now, since] of [
      [start, null],
      [later, start],
    ] as const) {
      const { records, total, complete } = await pull(now, since);
      expect({ total, complete }).toEqual({ total: packages, complete: true });
      expect(byId(records).size).toBe(packages);
    }
  });

  test("is at three of four locations, and adds up", async () => {
    const { records: locations, complete } = await pullAll("location", connector, connection, start, later);
    expect(complete).toBe(true);
    expect(locations).toHaveLength(4);
    const stocked = new Set<string>();
    for (const { location_data, total_quantity } of (await pull(later)).records) {
      if (!location_data) continue;
      let sum = 0;
      for (const { pos_location_id, name, quantity } of location_data) {
        expect(locations.find((location) => location.pos_location_id === pos_location_id)?.name).toBe(name);
        expect(quantity).toBeGreaterThan(0);
        stocked.add(pos_location_id);
        sum += quantity;
      }
      expect(sum).toBeCloseTo(total_quantity, 6);
    }
    expect(stocked.size).toBe(3);
  });

  test("has packages without product, without locations, and without quantity", async () => {
    const { records } = await pull(start);
    const ids = new Set((await pullProducts(start)).records.map((product) => product.pos_product_id));
    for (const { pos_product_id: id } of records) if (id !== null) expect(ids.has(id)).toBe(true);
    const count = (holds: (record: PosInventory) => boolean) => records.filter(holds).length;
    expect(count((record) => record.pos_product_id === null)).toBeGreaterThan(3);
    expect(count((record) => record.location_data === null)).toBeGreaterThan(1);
    expect(count((record) => record.total_quantity === 0)).toBeGreaterThan(1);
    expect(count((record) => record.total_quantity === 0)).toBeLessThan(packages / 10);
  });

  test("loses packages, gets new ones, and changes", async () => {
    const all = new Map<string, PosInventory>();
    const gone = new Set<string>();
    let before = byId((await pull(start)).records);
    for (const minutes of [10, 60, 180, 600]) {
      const now = byId((await pull(new Date(Date.parse(start) + minutes * 60_000).toISOString())).records);
      const came = [...now.keys()].filter((id) => !before.has(id));
      const went = [...before.keys()].filter((id) => !now.has(id));
      expect(came.length).toBeGreaterThan(0);
      expect(went).toHaveLength(came.length);
      expect(came.some((id) => all.has(id) || gone.has(id))).toBe(false);
      const changed = [...now].filter(([id, record]) => before.get(id)?.total_quantity !== record.total_quantity);
      expect(changed.length).toBeGreaterThan(came.length);
      for (const id of went) gone.add(id);
      for (const [id, record] of now) all.set(id, record);
      before = now;
    }
  });

  test("leaves locations in some cases", async () => {
    const places = (record: PosInventory | undefined) => record?.location_data?.map((place) => place.pos_location_id);
    const first = byId((await pull(start)).records);
    const second = byId((await pull("2026-03-01T02:30:00.000Z")).records);
    const left = [...second].filter(([id, record]) =>
      places(first.get(id))?.some((at) => !places(record)?.includes(at)),
    );
    expect(left.length).toBeGreaterThan(10);
  });

  describe("has products", () => {
    const share = (records: PosProduct[], holds: (record: PosProduct) => boolean) =>
      (100 * records.filter(holds).length) / records.length;

    test("with a price per unit, or only with tiers", async () => {
      const { records } = await pullProducts(later);
      expect(records).toHaveLength(products);
      for (const { price, price_tiers, unit_cost } of records) {
        expect(price === null).toBe(price_tiers !== null);
        for (const cents of [price, ...(price_tiers ?? []).map((tier) => tier.tier_price)]) {
          if (cents !== null) expect(Number.isSafeInteger(cents) && cents > 0).toBe(true);
        }
        if (price !== null && unit_cost !== null) expect(unit_cost).toBeLessThan(price);
      }
      expect(share(records, ({ price_tiers }) => price_tiers !== null)).toBeGreaterThan(3);
      expect(share(records, ({ images }) => images !== null)).toBeGreaterThan(40);
      expect(new Set(records.map((record) => record.svc_product_category_name)).size).toBeGreaterThan(5);
      for (const { svc_product_category_name: category } of records) {
        expect([...productCategories, null]).toContain(category);
      }
    });

    test("that lack some values", async () => {
      const { records } = await pullProducts(start);
      for (const field of ["pos_brand_name", "sku", "description", "unit_cost", "images"] as const) {
        expect(share(records, (record) => record[field] === null)).toBeGreaterThan(0);
        expect(share(records, (record) => record[field] === null)).toBeLessThan(50);
      }
    });

    test("whose price changes: each product in a later pull has another price", async () => {
      const prices = (record: PosProduct | undefined) => record?.price ?? record?.price_tiers?.map((t) => t.tier_price);
      const before = new Map((await pullProducts(start)).records.map((record) => [record.pos_product_id, record]));
      const { records, complete } = await pullProducts("2026-03-01T00:05:00.000Z", start);
      expect(complete).toBe(false);
      expect(records.length).toBeGreaterThanOrEqual(20);
      for (const record of records) expect(prices(record)).not.toEqual(prices(before.get(record.pos_product_id)));
    });
  });
});
