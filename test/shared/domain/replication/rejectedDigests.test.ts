import fc from "fast-check";
import { expect, test } from "vitest";
import { RejectedDigests } from "../../../../shared/domain/replication/rejectedDigests.ts";

const runs = [new Date("2026-03-01T12:00:00.000Z"), new Date("2026-03-01T12:10:00.000Z")] as const;
const many = (count: number, prefix = "") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

test("rejected digests are a set that can be stored and loaded at any time", () => {
  const name = fc.constantFrom(...many(12));
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom("add" as const, "delete" as const), name }),
    fc.record({ do: fc.constantFrom("load" as const, "next run" as const, "drop" as const), name }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const expected = new Map<string, number>();
      let run = Date.parse("2026-03-01T12:00:00.000Z");
      const stored: Uint8Array[] = [];
      let names = new RejectedDigests([], new Date(run));
      for (const { do: what, name } of steps) {
        if (what === "add") {
          names.add(name);
          expected.set(name, run);
        } else if (what === "delete") expect(names.delete(name)).toBe(expected.delete(name));
        else if (what === "drop") {
          names.dropUnmet();
          for (const [each, met] of expected) if (met !== run) expected.delete(each);
        } else {
          for (const [part, bytes] of names.takeChanged()) stored[part] = bytes;
          if (what === "next run") run += 1;
          names = new RejectedDigests(stored, new Date(run));
        }
        expect(names.size).toBe(expected.size);
        for (const each of many(12)) expect(names.has(each)).toBe(expected.has(each));
      }
    }),
  );
});

test("a page changes only one of several parts, and each part fits into an item", () => {
  const first = new RejectedDigests([], runs[0]);
  for (const name of many(50_000)) first.add(name);
  const stored = first.takeChanged().map(([, bytes]) => bytes);
  expect(stored.map(({ byteLength }) => byteLength)).toEqual([280_000, 280_000, 140_000]);
  const next = new RejectedDigests(stored, runs[1]);
  expect(next.size).toBe(50_000);
  for (const name of many(250)) next.add(name);
  for (const name of many(250, "new ")) next.add(name);
  expect(next.takeChanged().map(([part]) => part)).toEqual([0, 2]);
  expect(next.takeChanged()).toEqual([]);
  next.dropUnmet();
  expect([next.size, next.parts]).toEqual([500, 3]);
});
