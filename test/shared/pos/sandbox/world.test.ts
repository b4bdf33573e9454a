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

/** The same told tick by tick: who comes, who goes, and what has its turn changes as often as it may. */
function played(population: Population, until: number): Map<number, RecordVersion> {
  const { initial, arrivals, replaced, maxChanges } = population;
  const all = new Map<number, RecordVersion>();
  for (let index = 0; index < initial; index++) all.set(index, { index, version: 0, tick: 0 });
  let newest = initial - 1;
  for (let tick = 1; tick <= until; tick++) {
    for (const standing of all.values()) {
      const mayChange = standing.version < (maxChanges?.(standing.index) ?? Number.POSITIVE_INFINITY);
      if (mayChange && (tick - standing.index * 1237) % initial === 0) {
        standing.version++;
        standing.tick = tick;
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
  .map(({ initial, paces, replaced, most }): Population => {
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
      ...(most !== null && { maxChanges: (index: number) => (most + index) % 4 }),
    };
  });
const times = fc.tuple(populations, fc.nat(120), fc.nat(120));

test("the world at a tick is what the ticks before made of it", () => {
  fc.assert(
    fc.property(times, ([population, until]) => {
      const found = new Map(recordVersions(population, null, until).map((standing) => [standing.index, standing]));
      expect(found).toEqual(played(population, until));
      for (const [index, standing] of found) expect(recordVersionOf(population, index, until)).toEqual(standing);
    }),
  );
});

test("what is new or changed in a span is what differs between its ends", () => {
  fc.assert(
    fc.property(times, ([population, a, b]) => {
      const [since, until] = [Math.min(a, b), Math.max(a, b)];
      const before = played(population, since);
      const differing = [...played(population, until).values()].filter(
        (standing) => before.get(standing.index)?.version !== standing.version,
      );
      const found = recordVersions(population, since, until);
      expect(found.toSorted((x, y) => x.index - y.index)).toEqual(differing.toSorted((x, y) => x.index - y.index));
      expect(found.map((standing) => standing.tick)).toEqual(
        differing.map((standing) => standing.tick).sort((x, y) => x - y),
      );
    }),
  );
});

test.each([2000, 300])(
  "of %i, each of the first ticks brings one newcomer and changes about one, never none",
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

test("time stands still before the connection", () => {
  const world = worldOf(testConnection, 15);
  expect(tickAt(world, new Date("2026-02-28T00:00:00Z"))).toBe(0);
  expect(tickAt(world, new Date("2026-03-01T00:00:14.999Z"))).toBe(0);
  expect(tickAt(world, new Date("2026-03-01T00:00:15Z"))).toBe(1);
});
