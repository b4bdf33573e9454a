import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { dice } from "../../../shared/pos/sandbox/dice.ts";
import { kindsAmong, kindsOf, type PosName, posNames } from "./fakes/fakePos.ts";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import { seededFaults } from "./fakes/seededFaults.ts";
import { demoSize } from "./fakes/shop.ts";

// No record of a POS is missed, whatever its clock shows, and whatever changes or fails during pulls.
describe.each(posNames)("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");
  const kinds = kindsOf(name);

  test.each([-1380, -120, -20, 20, 120, 1380])(
    "no record is missed if the POS's clock is %i minutes ahead",
    async (minutes) => {
      fake.ahead = minutes;
      await fake.restart("skewed");
      const pulled = kindsAmong(name, "customer", "sale").map((kind) => ({ kind, of: fake.puller<RecordKind>(kind) }));
      const pullAll = async () => {
        for (const { of } of pulled) await of.pull(fake.now);
      };
      for (let run = 0; run < 3; run++) {
        await pullAll();
        for (let i = 0; i < 6; i++) {
          fake.later(1);
          fake.pos.shop.change();
        }
        fake.later(4);
      }
      await pullAll();
      for (const { kind, of } of pulled) expect(of.records).toEqual(await fake.afresh(kind));
    },
  );

  test.each([1, 2, 3, 4, 5])("records that change between any two requests are not missed (seed %i)", async (seed) => {
    await fake.restart(seed);
    let isQuiet = false;
    fake.pos.server.beforeAnswer = ({ number }) => {
      if (!isQuiet && number % 2 === 0) fake.pos.shop.change();
    };
    const pulled = kinds.map((kind) => fake.puller(kind));
    for (let run = 0; run < 3; run++) {
      isQuiet = run === 2;
      for (const one of pulled) await one.pull(fake.now);
      fake.later(10);
    }
    for (const [at, kind] of kinds.entries()) {
      const fresh = await fake.afresh(kind);
      // Records that vanished from stock are kept here. Replication sets them to 0.
      const remaining = [...(pulled[at]?.records ?? [])].filter(([id]) => kind !== "inventory" || fresh.has(id));
      expect(new Map(remaining)).toEqual(fresh);
    }
  });

  test.each([11, 12, 13, 14])(
    "a pull with many faults reads the same records as one without (seed %i)",
    async (seed) => {
      const faults = seededFaults(seed, 25);
      for (const kind of kinds) {
        const expected = await fake.afresh(kind);
        // A pull continues without this report if the request fails.
        fake.pos.server.faults = (request) =>
          request.path.endsWith("/loyalty-snapshot") ? undefined : faults(request);
        const pulled = await fake.puller(kind).pull(fake.now, { attempts: 200 });
        fake.pos.server.faults = () => undefined;
        expect(pulled.records).toEqual(expected);
      }
    },
  );

  test.each(kinds)("a list in random order makes the pull fail, or is read completely (%s)", async (kind) => {
    await fake.restart(1, { customers: 400, products: 400, packages: 400, sales: 600 });
    const { pos } = fake;
    const expected = await fake.pull(kind);
    const maxRequests = 300 + 10 * pos.server.requests.length;
    pos.server.requests.length = 0;
    pos.shop.views.shuffledBy = dice("random order", 1);
    pos.server.faults = ({ number }) =>
      number > maxRequests ? { kind: "answer", answer: { status: 401 } } : undefined;
    const pulled = fake.puller(kind);
    const failure = await pulled.pull(fake.now).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure) expect(failure).toMatchObject({ name: "PosError", failure: "notUnderstood" });
    // An incomplete pull is marked as such.
    else if (pulled.readAll || pulled.complete) expect(pulled.ids).toEqual(expected.ids);
  });

  test("a demo-sized shop is read completely", async () => {
    await fake.restart("demo", demoSize);
    for (const kind of kinds) {
      const { size } = await fake.afresh(kind);
      expect(size, kind).toBeGreaterThan(
        { customer: 1500, sale: 4000, location: 1, product: 300, inventory: 300 }[kind],
      );
    }
  });
});
