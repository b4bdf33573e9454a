import { expect, test } from "vitest";
import { FakePosUnderTest } from "../fakes/fakePosUnderTest.ts";

const fake = new FakePosUnderTest("dutchie", "2026-03-10T19:30:00.000Z");

test.each(["product", "inventory"] as const)("%s records in a list above 64 MB are read row by row", async (kind) => {
  const count = 36_000;
  const path = kind === "product" ? "/reporting/products" : "/reporting/inventory";
  fake.pos.server.rewrite = (body, request) => {
    if (request.path !== path) return body;
    const [row] = body as object[];
    const padding = "x".repeat(2_000);
    // In no order of their ids.
    return Array.from({ length: count }, (_, at) => ({ ...row, [`${kind}Id`]: (at * 7_919) % count, padding }));
  };
  const pulled = await fake.puller(kind).pull(fake.now);
  expect(pulled.records.size).toBe(count);
  expect(pulled.readAll).toBe(true);
  // Not all of them are in memory at once.
  expect(fake.pos.server.requestsFor(path)).toHaveLength(2);
});
