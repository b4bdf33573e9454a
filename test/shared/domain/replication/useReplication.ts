import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { type ReplicateOptions, replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { ReplicationState } from "../../../../shared/domain/replication/replicationState.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { storeCrb } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { letCallsPass } from "../../store/crashInjection.ts";
import { type Calls, interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import type { ScriptedPos } from "./scriptedPos.ts";
import type { ScriptedStock } from "./scriptedStock.ts";

/**
 * Gives each test of a file a new business that is connected to a POS under the test's control.
 *
 * @param start the time of the clock at the beginning of each test
 */
export function useReplication<Pos extends ScriptedPos | ScriptedStock>(pos: Pos, start = "2026-03-01T12:00:00.000Z") {
  useTestServiceKey();
  const table = useTestTable();
  const clock = new TestClock(start);
  const connection: Connection = { ...testConnection };
  const owner = { spId: "", crbId: "" };
  const calls: Calls = { before: () => undefined, after: () => undefined };
  beforeAll(() => void interceptCalls(table(), calls));

  /** Stores another business, of the given POS type, and sets the clock. */
  const reset = async (posType = testConnection.posType, now = start) => {
    letCallsPass(calls);
    pos.reset();
    clock.time = Date.parse(now);
    Object.assign(connection, testConnection, { crbId: randomUUID(), posType });
    Object.assign(owner, { spId: randomUUID(), crbId: connection.crbId });
    await storeCrb(table(), connection, { spId: owner.spId, clock });
  };
  beforeEach(() => reset());

  const run = (kind: RecordKind, options: ReplicateOptions = {}) =>
    replicate(table(), connection, pos, kind, { clock, ...options });
  return {
    ...{ table, calls, clock, pos, connection, owner, reset, run },
    /** A run that starts a minute later and finishes. */
    runLater: async (kind: RecordKind, options: ReplicateOptions = {}) => {
      clock.advance(60_000);
      const result = await run(kind, options);
      return result.outcome === "finished" ? result : expect.fail(JSON.stringify(result));
    },
    state: async (kind: RecordKind) =>
      (await table().get(replicationKey(connection.crbId, kind), { consistent: true })) as unknown as ReplicationState,
    /** The records of a list of at most 1,000, newest first. */
    records: async (kind: RecordKind, options: Parameters<typeof readPage>[3] = {}) => {
      const list = recordList(connection.crbId, kind);
      const { records, total } = await readPage(table(), list, { offset: 0, limit: 1_000 }, options);
      expect(records).toHaveLength(total);
      return records.map((record) => JSON.parse(record));
    },
    idOf: (posId: string, kind: RecordKind = "customer") => recordId(connection.crbId, kind, connection.posType, posId),
  };
}
