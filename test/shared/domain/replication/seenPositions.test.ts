import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenPositions } from "../../../../shared/domain/replication/seenPositions.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";

const ranks = fc
  .tuple(fc.constantFrom("2025-12-31", "2026-01-01", "2026-03-01", "2026-03-02"), fc.nat(9000))
  .map(([day, slot]) => formatPosition(day, slot));

test("contains the added positions and no others, also after it was stored and loaded", () => {
  fc.assert(
    fc.property(fc.array(ranks), fc.array(ranks), (added, others) => {
      const seen = new SeenPositions();
      for (const rank of added) seen.add(rank);
      const loaded = SeenPositions.ofParts(seen.toParts().reverse());
      for (const rank of [...added, ...others]) {
        expect(seen.has(rank)).toBe(added.includes(rank));
        expect(loaded.has(rank)).toBe(added.includes(rank));
      }
    }),
  );
});

test("a million records at random positions are stored in items that fit DynamoDB", () => {
  const seen = new SeenPositions();
  const added = new Set<number>();
  let chance = 1;
  while (added.size < 1_000_000) {
    chance = (chance * 48271) % 2147483647;
    added.add(chance % 10_000_000);
  }
  for (const slot of added) seen.add(formatPosition("2026-03-01", slot));
  const parts = seen.toParts();
  for (const part of parts) expect(part.byteLength).toBeLessThan(400 * 1024 - 1024);
  const loaded = SeenPositions.ofParts(parts);
  for (let slot = 0; slot < 10_000_000; slot += 97) {
    if (loaded.has(formatPosition("2026-03-01", slot)) !== added.has(slot)) expect.fail(`sequence number ${slot}`);
  }
  expect(parts.length).toBeGreaterThan(1);
});
