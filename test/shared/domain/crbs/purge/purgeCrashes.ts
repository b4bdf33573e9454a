import { expect } from "vitest";
import { endAssociation } from "../../../../../shared/domain/crbs/endAssociation.ts";
import { purgeCrb } from "../../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { serviceBucket } from "../../../../../shared/domain/documents/bucket.ts";
import { itemId, type Table } from "../../../../../shared/store/client.ts";
import { crbKey } from "../../../../../shared/store/keys/crbs.ts";
import { tableOf } from "../../../../tableCopy.ts";
import { differences, scan } from "../../../../tableState.ts";
import { crashAt, crashPoints, sides, writesOf } from "../../../store/crashInjection.ts";
import { interceptCalls } from "../../../store/orderedList/listUnderTest.ts";
import { hour, type usePurge } from "./usePurge.ts";

/**
 * Purges copies of a business. Each purge is killed at another write and finished by a second call. Compares the
 * remaining items with those after an uninterrupted purge.
 */
export async function expectCrashRecovery({
  table,
  clock,
  fill,
  comparable,
}: ReturnType<typeof usePurge>): Promise<void> {
  const before = new Set((await scan(table())).map(itemId));
  const { crbId } = await fill("Ended", 4);
  await endAssociation(table(), serviceBucket(), crbId, clock);
  clock.advance(hour);
  const filled = (await scan(table())).filter((item) => !before.has(itemId(item)));
  const purge = (on: Table) => purgeCrb(on, serviceBucket(), crbId, { clock });

  const uninterrupted = await tableOf(filled);
  const writes = await writesOf(interceptCalls(uninterrupted), () => purge(uninterrupted));
  expect(writes).toBeGreaterThan(50);
  const expected = comparable(await scan(uninterrupted));
  expect([...expected.values()].join()).not.toContain(crbId);
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const copy = await tableOf(filled);
      const calls = interceptCalls(copy);
      crashAt(calls, write, side);
      await expect(purge(copy)).rejects.toThrow("killed");
      calls.before = calls.after = () => undefined;
      // The leases of the killed purge expire.
      clock.advance(61_000);
      const remaining = await copy.get(crbKey(crbId));
      expect(await purge(copy)).toEqual(remaining && expect.objectContaining({ outcome: "purged" }));
      expect(differences(comparable(await scan(copy)), expected), `${side} write ${write}`).toEqual([]);
      copy.client.destroy();
    }
  }
}
