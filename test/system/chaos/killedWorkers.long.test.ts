import { v5 as uuid } from "uuid";
import { expect, test } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import type { Table } from "../../../shared/store/client.ts";
import { runChild } from "../../functions/runChild.ts";
import { type FakePos, kindsOf, type PosName, posNames, startFakePos } from "../../shared/pos/fakes/fakePos.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { createTestTable, tableEnvironment } from "../../testTable.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { connectCrb } from "./connectCrb.ts";
import type { CrashingWork } from "./crashingWorker.ts";
import { faultsOfAnnouncements } from "./faultsOfAnnouncements.ts";
import { contentOf, differences, faultsOfLists, scan } from "./tableState.ts";

useTestServiceKey();
useTestSealingKey();
useQueues();
useTestBucket();

const program = new URL("./crashingWorker.ts", import.meta.url);
/** Longer than the duration of a lease. */
const twoMinutes = 120_000;

test.each(posNames)(
  "%s: workers that the system kills one after the other leave the same table as one that is not killed",
  async (pos) => {
    const clock = new TestClock("2026-03-10T19:30:00.000Z");
    const shopSize = { customers: 12, products: 6, packages: 8, sales: 20 };
    const fake = await startFakePos(pos, "killed workers", shopSize, () => clock.now());
    try {
      const tables = { killed: await createTestTable(), calm: await createTestTable() };
      const crbId = uuid(pos, fake.connection.crbId);
      for (const table of Object.values(tables)) await connectCrb(table, crbId, fake.connection, clock);
      const work = (table: Table, answers: number | null) => workIn(table, { pos, fake, crbId, clock }, answers);

      // Each process lives a little longer than the last one, and none finishes all of the work.
      let kills = 0;
      for (let answers = 15; ; answers += 12) {
        clock.advance(twoMinutes);
        const { code, signal } = await work(tables.killed, answers);
        if (code === 0) break;
        expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
        kills++;
      }
      const share = kindsOf(pos).length / recordKinds.length;
      expect(kills).toBeGreaterThan(3 * share);

      // Twice: records that arrived before those that complete them are read again.
      for (let times = 2; times > 0; times--) {
        clock.advance(twoMinutes);
        const ended = await Promise.all([work(tables.killed, null), work(tables.calm, null)]);
        for (const { out } of ended) expect(JSON.parse(out).outcomes).toEqual(recordKinds.map(() => "finished"));
      }
      const [found, expected] = [await scan(tables.killed), await scan(tables.calm)];
      expect(differences(contentOf(found, crbId), contentOf(expected, crbId))).toEqual([]);
      expect(await faultsOfLists(tables.killed, found, crbId)).toEqual([]);
      expect(faultsOfAnnouncements(found, crbId)).toEqual([]);
      expect(contentOf(found, crbId).size).toBeGreaterThan(100 * share);
    } finally {
      await fake.server.close();
    }
  },
  300_000,
);

/** Lets a process replicate a fake POS into a table. */
function workIn(
  table: Table,
  { pos, fake, crbId, clock }: { pos: PosName; fake: FakePos; crbId: string; clock: TestClock },
  answers: number | null,
) {
  Object.assign(process.env, tableEnvironment(table));
  const input: CrashingWork = { pos, address: fake.address, crbId, now: clock.now().toISOString(), answers };
  return runChild(program, input);
}
