import { describe, expect, test } from "vitest";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";

const count = 36_000;

/** Repeats the first row with new ids, in no order. */
const manyOf = ([row]: object[], idField: string) =>
  Array.from({ length: count }, (_, at) => ({
    ...row,
    [idField]: String((at * 7_919) % count),
    padding: "x".repeat(2_000),
  }));

describe.each([
  ["dutchie", "product", /^\/reporting\/products$/, "productId"],
  ["dutchie", "inventory", /^\/reporting\/inventory$/, "inventoryId"],
  ["flowhub", "product", /\/inventory$/, "variantId"],
  ["flowhub", "inventory", /\/InventoryAnalyticsByRooms$/, "regulatoryId"],
] as const)("%s, %s", (name, kind, path, idField) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");

  test("a list above 64 MB is read row by row", async () => {
    fake.pos.server.rewrite = (body, request) => {
      if (!path.test(request.path)) return body;
      return Array.isArray(body)
        ? manyOf(body, idField)
        : { ...(body as object), data: manyOf((body as { data: object[] }).data, idField) };
    };
    const pulled = await fake.puller(kind).pull(fake.now);
    expect(pulled.records.size).toBe(count);
    expect(pulled.readAll).toBe(true);
    // Not all records are in memory at once.
    expect(fake.pos.server.requestsFor(path)).toHaveLength(2);
  });
});
