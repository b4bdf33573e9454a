import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenRanks } from "../../../shared/replication/seenRanks.ts";
import { rankNumber, rankOf } from "../../../shared/table/keys.ts";

const ranks = fc
  .tuple(fc.constantFrom("2025-12-31", "2026-01-01", "2026-03-01", "2026-03-02"), fc.nat(9000))
  .map(([day, slot]) => rankOf(day, slot));

test("knows what it was told, and nothing else, also after a hand-over", () => {
  fc.assert(
    fc.property(fc.array(ranks), fc.array(ranks), (told, others) => {
      const seen = new SeenRanks();
      for (const rank of told) seen.add(rank);
      const handedOver = new SeenRanks(seen.toBytes());
      for (const rank of [...told, ...others]) {
        expect(seen.has(rankNumber(rank))).toBe(told.includes(rank));
        expect(handedOver.has(rankNumber(rank))).toBe(told.includes(rank));
      }
    }),
  );
});

test("a million records, every third of them on days of a year, can be handed over", () => {
  const seen = new SeenRanks();
  const days = Array.from({ length: 365 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
  for (const day of days) for (let slot = 0; slot < 2740; slot++) seen.add(rankOf(day, slot * 3));
  const bytes = seen.toBytes();
  expect(bytes?.byteLength).toBeLessThan(300 * 1024);
  expect(new SeenRanks(bytes).has(rankNumber(rankOf("2026-12-31", 2739 * 3)))).toBe(true);
});

test("what is too much to hand over is not", () => {
  const seen = new SeenRanks();
  let chance = 1;
  for (let slot = 0; slot < 5_000_000; slot++) {
    chance = (chance * 48271) % 2147483647;
    if (chance % 2) seen.add(rankOf("2026-03-01", slot));
  }
  expect(seen.toBytes()).toBeNull();
});
