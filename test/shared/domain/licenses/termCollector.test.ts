import { expect, test } from "vitest";
import { TermCollector } from "../../../../shared/domain/licenses/termCollector.ts";
import { TermIndex } from "../../../../shared/domain/licenses/termIndex.ts";
import { awkwardNames } from "./hostileNames.ts";

/**
 * More places than several merged runs hold, and a part of another run. Some terms are at one place, some at all, some
 * at a few, of any script.
 */
const count = 21_003;
const termsAt = (place: number) => [
  ...new Set([`own ${(place * 7_919) % count}`, "all", `some ${place % 97}`, awkwardNames[place % 28] ?? ""]),
];

test("terms of many places are found at each place, as if they had been packed in one step", () => {
  const collector = new TermCollector();
  const terms = new Set<string>();
  for (let place = 0; place < count; place++) {
    collector.add(termsAt(place));
    for (const term of termsAt(place)) terms.add(term);
  }
  const stored = collector.stored();
  expect(stored.ends).toHaveLength(terms.size);
  const index = new TermIndex(stored, collector.length);
  const found = (term: string) => index.find({ exact: [term], beginnings: [] }, { offset: 0, limit: count }).places;
  for (const term of ["all", "some 0", "some 96", "own 0", `own ${count - 1}`, ...awkwardNames]) {
    const places = Array.from({ length: count }, (_, place) => place).filter((place) => termsAt(place).includes(term));
    expect(found(term), term).toEqual(places);
  }
});

test("without places there are no terms", () => {
  const stored = new TermCollector().stored();
  expect(new TermIndex(stored, 0).find({ exact: ["a"], beginnings: [] }, { offset: 0, limit: 1 }).total).toBe(0);
});
