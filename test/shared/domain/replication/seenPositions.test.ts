import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenPositions } from "../../../../shared/domain/replication/seenPositions.ts";
import { formatPosition, positionToNumber } from "../../../../shared/store/keys/positions.ts";

const ranks = fc
  .tuple(fc.constantFrom("2025-12-31", "2026-01-01", "2026-03-01", "2026-03-02"), fc.nat(9000))
  .map(([day, slot]) => formatPosition(day, slot));

test("knows what it was told, and nothing else, also after a hand-over", () => {
  fc.assert(
    fc.property(fc.array(ranks), fc.array(ranks), (told, others) => {
      const seen = new SeenPositions();
      for (const rank of told) seen.add(rank);
      const handedOver = SeenPositions.ofParts(seen.toParts().reverse());
      for (const rank of [...told, ...others]) {
        expect(seen.has(positionToNumber(rank))).toBe(told.includes(rank));
        expect(handedOver.has(positionToNumber(rank))).toBe(told.includes(rank));
      }
    }),
  );
});

test("a million records on random slots are handed over, by items that DynamoDB takes", () => {
  const seen = new SeenPositions();
  const told = new Set<number>();
  let chance = 1;
  while (told.size < 1_000_000) {
    chance = (chance * 48271) % 2147483647;
    told.add(chance % 10_000_000);
  }
  for (const slot of told) seen.add(formatPosition("2026-03-01", slot));
  const parts = seen.toParts();
  for (const part of parts) expect(part.byteLength).toBeLessThan(400 * 1024 - 1024);
  const handedOver = SeenPositions.ofParts(parts);
  for (let slot = 0; slot < 10_000_000; slot += 7) {
    if (handedOver.has(positionToNumber(formatPosition("2026-03-01", slot))) !== told.has(slot))
      expect.fail(`slot ${slot}`);
  }
  expect(parts.length).toBeGreaterThan(1);
});
