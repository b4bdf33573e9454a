import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { endAssociation } from "../../../../../shared/domain/crbs/endAssociation.ts";
import { purgeCrb } from "../../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { serviceBucket } from "../../../../../shared/domain/documents/bucket.ts";
import { eraseCustomer } from "../../../../../shared/domain/replication/eraseCustomer.ts";
import { replicate } from "../../../../../shared/domain/replication/replicate.ts";
import { itemId } from "../../../../../shared/store/client.ts";
import { entryPrefix } from "../../../../../shared/store/keys/indexEntries.ts";
import { recordId } from "../../../../../shared/store/recordId.ts";
import { storeCrb } from "../../../../crbRecord.ts";
import { scan } from "../../../../tableState.ts";
import { testTableOf } from "../../../../testTable.ts";
import { testConnection } from "../../../pos/sandbox/testConnection.ts";
import { crashPoints, isWrite, writesOf } from "../../../store/crashInjection.ts";
import { isLogged } from "../../../store/eventLog/eventsUnderTest.ts";
import { interceptCalls } from "../../../store/orderedList/listUnderTest.ts";
import { plainCustomer, plainSale, ScriptedPos } from "../../replication/scriptedPos.ts";
import { hour, usePurge } from "./usePurge.ts";

const { table, clock } = usePurge();

/** A business with two customers and a sale, whose association ended long enough ago for a purge. */
async function createEndedBusiness() {
  const connection = { ...testConnection, crbId: randomUUID() };
  const { crbId, posType } = connection;
  await storeCrb(table(), connection, { clock });
  const pos = new ScriptedPos(9);
  pos.put("customer", plainCustomer("1"), plainCustomer("2"));
  pos.put("sale", plainSale("1", 0, "2026-03-01T10:00:00.000Z", "1"));
  for (const kind of ["customer", "sale"] as const) await replicate(table(), connection, pos, kind, { clock });
  await endAssociation(table(), serviceBucket(), crbId, clock);
  clock.advance(hour);
  return { crbId, idOf: (posId: string) => recordId(crbId, "customer", posType, posId) };
}

/** The stored items of a business, and all index entries. */
const remainingItems = async (crbId: string) => {
  const items = (await scan(table())).filter((item) => !isLogged(item));
  return items.filter((item) => item.pk.startsWith(entryPrefix) || JSON.stringify(item).includes(crbId)).map(itemId);
};

test.each(["1", "not stored"])(
  "an erasure leaves nothing of the business if a purge comes before any of its writes: customer %s",
  async (posId) => {
    const alone = await createEndedBusiness();
    const counted = testTableOf(table());
    const writes = await writesOf(interceptCalls(counted), () =>
      eraseCustomer(counted, alone.crbId, alone.idOf(posId), { clock }),
    );
    expect(writes).toBeGreaterThan(4);
    await purgeCrb(table(), serviceBucket(), alone.crbId, { clock });
    for (const at of crashPoints(writes)) {
      const { crbId, idOf } = await createEndedBusiness();
      const slow = testTableOf(table());
      let writeCount = 0;
      interceptCalls(slow).before = async (command) => {
        if (!isWrite(command) || ++writeCount !== at) return;
        expect(await purgeCrb(table(), serviceBucket(), crbId, { clock })).toMatchObject({ outcome: "purged" });
      };
      const erased = await eraseCustomer(slow, crbId, idOf(posId), { clock }).catch((error: Error) => error);
      expect(writeCount).toBeGreaterThanOrEqual(at);
      expect(await remainingItems(crbId), `purged before write ${at}: ${JSON.stringify(erased)}`).toEqual([]);
    }
  },
  240_000,
);
