import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import { fingerprintsPartition, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { storeCrb } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";

useTestServiceKey();
const table = useTestTable();

test("a worker that lost its lease to an erasure stores no fingerprint of the customer", async () => {
  const connection = { ...testConnection, crbId: randomUUID() };
  const { crbId, posType } = connection;
  const clock = new TestClock("2026-03-02T19:00:00.000Z");
  await storeCrb(table(), connection, { clock });
  // Many records, so that groups end on the last page.
  const ids = Array.from({ length: 400 }, (_, i) => String(i));
  const pos = new ScriptedPos(200);
  pos.put("customer", ...ids.map((id) => plainCustomer(id, 0)));
  await replicate(table(), connection, pos, "customer", { clock });
  const customer = recordId(crbId, "customer", posType, "0");
  pos.beforePage = async ({ position }) => {
    if (position === null) return;
    pos.beforePage = () => undefined;
    // The worker pauses until its lease has expired.
    clock.advance(61_000);
    await eraseCustomer(table(), crbId, customer, { clock });
  };
  const late = await replicate(table(), connection, pos, "customer", { clock, isFullRead: true });
  expect(late).toEqual({ outcome: "lost" });
  expect(await table().queryPartition(fingerprintsPartition(recordList(crbId, "customer")))).toEqual([]);
});
