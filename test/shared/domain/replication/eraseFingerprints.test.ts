import { expect, test } from "vitest";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { fingerprintsPartition, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const { table, clock, pos, connection, run, idOf } = useReplication(new ScriptedPos(200), "2026-03-02T19:00:00.000Z");

test("a worker that lost its lease to an erasure stores no fingerprint of the customer", async () => {
  const { crbId } = connection;
  // Many records, so that groups end on the last page.
  const ids = Array.from({ length: 400 }, (_, i) => String(i));
  pos.put("customer", ...ids.map((id) => plainCustomer(id, 0)));
  await run("customer");
  pos.beforePage = async ({ position }) => {
    if (position === null) return;
    pos.beforePage = () => undefined;
    // The worker pauses until its lease has expired.
    clock.advance(61_000);
    await eraseCustomer(table(), crbId, idOf("0"), { clock });
  };
  expect(await run("customer", { isFullRead: true })).toEqual({ outcome: "lost" });
  expect(await table().queryPartition(fingerprintsPartition(recordList(crbId, "customer")))).toEqual([]);
});
