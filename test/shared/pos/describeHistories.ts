import { expect, test } from "vitest";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { kindsAmong, kindsOf, type PosName } from "./fakes/fakePos.ts";
import type { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import { seededFaults } from "./fakes/seededFaults.ts";

/** The histories of a run. */
interface Histories {
  /** minutes by which the POS's clock is ahead of the service's */
  minutesAhead: readonly number[];
  /** seeds of shops that change between requests */
  changeSeeds: readonly number[];
  /** seeds of failing requests */
  faultSeeds: readonly number[];
}

/** Tests that no record of a POS is missed, whatever its clock shows, and whatever changes or fails during pulls. */
export function describeHistories(name: PosName, fake: FakePosUnderTest, histories: Histories): void {
  const { minutesAhead, changeSeeds, faultSeeds } = histories;
  const kinds = kindsOf(name);

  test.each(minutesAhead)("no record is missed if the POS's clock is %i minutes ahead", async (minutes) => {
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
  });

  test.each(changeSeeds)("records that change between any two requests are not missed (seed %i)", async (seed) => {
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

  test.each(faultSeeds)("a pull with many faults reads the same records as one without (seed %i)", async (seed) => {
    const faults = seededFaults(seed, 25);
    for (const kind of kinds) {
      const expected = await fake.afresh(kind);
      // A pull continues without this report if the request fails.
      fake.pos.server.faults = (request) => (request.path.endsWith("/loyalty-snapshot") ? undefined : faults(request));
      const pulled = await fake.puller(kind).pull(fake.now, { attempts: 200 });
      fake.pos.server.faults = () => undefined;
      expect(pulled.records).toEqual(expected);
    }
  });
}
