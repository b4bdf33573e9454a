import { expect, test } from "vitest";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import type { PositionedRecord } from "../../../../shared/store/orderedList/readPage.ts";
import { Chunks } from "../../../../shared/store/snapshots/chunks.ts";

const bytesOfChunk = 16 * 1024;

test("a chunk has all records of several days or a part of one day, wherever a worker stops and another continues", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const chance = dice("chunks", seed);
    const records = Array.from({ length: chance.between(1, 25) }, (_, i) => `2026-01-${10 + i}`)
      .reverse()
      .flatMap((day) => {
        const slots = Array.from({ length: chance.pick([1, 2, 9]) }, (_, slot) => formatPosition(day, slot)).reverse();
        return slots.map(
          (rank): PositionedRecord => ({ rank, value: "x".repeat(chance.pick([10, 3_000, 9_000, 20_000])) }),
        );
      });
    let chunks = new Chunks("");
    const found: PositionedRecord[][] = [];
    for (const record of records) {
      chunks.add(record);
      if (!chance.percent(15)) continue;
      chunks.cut();
      found.push(...chunks.full);
      chunks = new Chunks(record.rank.slice(0, 10));
    }
    chunks.end();
    found.push(...chunks.full);
    expect(found.flat(), `seed ${seed}`).toEqual(records);
    const dayOf = ({ rank }: PositionedRecord) => rank.slice(0, 10);
    for (const chunk of found) {
      const days = new Set(chunk.map(dayOf));
      const ofDays = records.filter((record) => days.has(dayOf(record)));
      if (days.size > 1) expect(chunk, `seed ${seed}`).toEqual(ofDays);
      const bytes = chunk.reduce((sum, { value }) => sum + value.length, 0);
      if (chunk.length > 1) expect(bytes, `seed ${seed}`).toBeLessThanOrEqual(bytesOfChunk);
    }
  }
});
