import fc from "fast-check";
import { expect, test } from "vitest";
import { arrivalsAt, newcomers } from "../../../../shared/pos/sandbox/arrivals.ts";
import {
  type Population,
  type RecordVersion,
  recordVersionOf,
  recordVersions,
  tickAt,
  worldOf,
} from "../../../../shared/pos/sandbox/world.ts";
import { testConnection } from "./testConnection.ts";

/** Computes the versions tick by tick: arrivals, departures, and each record's changes in turn. */
function simulate(population: Population, until: number): Map<number, RecordVersion> {
  const { initial, arrivals, replaced, maxChanges } = population;
  const all = new Map<number, RecordVersion>();
  for (let index = 0; index < initial; index++) all.set(index, { index, version: 0, tick: 0 });
  let newest = initial - 1;
  for (let tick = 1; tick <= until; tick++) {
    for (const record of all.values()) {
      const mayChange = record.version < (maxChanges?.(record.index) ?? Number.POSITIVE_INFINITY);
      if (mayChange && (tick - record.index * 1237) % initial === 0) {
        record.version++;
        record.tick = tick;
      }
    }
    for (let more = (arrivals?.by(tick) ?? 0) - (arrivals?.by(tick - 1) ?? 0); more > 0; more--) {
      newest++;
      all.set(newest, { index: newest, version: 0, tick });
      if (replaced) all.delete(newest - initial);
    }
  }
  return all;
}

const paces = fc.tuple(fc.nat(20), fc.nat(40), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 }));
const populations = fc
  .record({
    initial: fc.integer({ min: 1, max: 40 }),
    paces: fc.option(paces),
    replaced: fc.boolean(),
    most: fc.option(fc.nat(3)),
  })
  .map(({ initial, paces, replaced, most: maxVersions }): Population => {
    const [first = 0, second = 0, every = 1, later = 1] = paces ?? [];
    const arrivals = arrivalsAt(
      [
        { every: 1, until: first },
        { every, until: first + second },
        { every: later, until: Number.POSITIVE_INFINITY },
      ],
      1,
    );
    return {
      initial,
      ...(paces && { arrivals, replaced }),
      ...(maxVersions !== null && { maxChanges: (index: number) => (maxVersions + index) % 4 }),
    };
  });
const times = fc.tuple(populations, fc.nat(120), fc.nat(120));

test("the world at a tick is the result of all ticks before", () => {
  fc.assert(
    fc.property(times, ([population, until]) => {
      const found = new Map(recordVersions(population, null, until).map((record) => [record.index, record]));
      expect(found).toEqual(simulate(population, until));
      for (const [index, record] of found) expect(recordVersionOf(population, index, until)).toEqual(record);
    }),
  );
});

test("the new and changed records of a period are those that differ between its ends", () => {
  fc.assert(
    fc.property(times, ([population, a, b]) => {
      const [since, until] = [Math.min(a, b), Math.max(a, b)];
      const before = simulate(population, since);
      const differing = [...simulate(population, until).values()].filter(
        (record) => before.get(record.index)?.version !== record.version,
      );
      const found = recordVersions(population, since, until);
      expect(found.toSorted((x, y) => x.index - y.index)).toEqual(differing.toSorted((x, y) => x.index - y.index));
      expect(found.map((record) => record.tick)).toEqual(differing.map((record) => record.tick).sort((x, y) => x - y));
    }),
  );
});

test.each([2000, 300])(
  "of %i records, each of the first ticks adds one and changes about one, never none",
  (initial) => {
    const population = { initial, arrivals: arrivalsAt(newcomers, 15) };
    for (let tick = 1; tick <= 480; tick++) {
      const found = recordVersions(population, tick - 1, tick);
      expect(found.filter(({ version }) => version === 0)).toHaveLength(1);
      expect(found.length).toBeGreaterThanOrEqual(2);
      expect(found.length).toBeLessThanOrEqual(4);
    }
  },
);

test("time does not start before the connection", () => {
  const world = worldOf(testConnection, 15);
  expect(tickAt(world, new Date("2026-02-28T00:00:00Z"))).toBe(0);
  expect(tickAt(world, new Date("2026-03-01T00:00:14.999Z"))).toBe(0);
  expect(tickAt(world, new Date("2026-03-01T00:00:15Z"))).toBe(1);
});
