import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import type { Key } from "../../../shared/store/keys/key.ts";
import { recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../shared/store/keys/positions.ts";
import { fenceKey } from "../../../shared/store/keys/replication.ts";
import { Journal } from "./journal.ts";

const crbId = "11111111-1111-4111-8111-111111111111";
const list = recordList(crbId, "customer");
const day = "2026-12-31";
const noon = Date.parse(`${day}T12:00:00.000Z`);

function newJournal() {
  const journal = new Journal(crbId, "America/Denver", []);
  const commit = (actor: string, at: number, ...items: (Key & Record<string, unknown>)[]) => {
    const changes = items.map((item) => ({ table: "table", pk: item.pk, sk: item.sk, item: marshall(item) }));
    journal.observe({ type: "committed", at, actor, actorTime: at, changes });
  };
  const takeLease = (actor: string, fence: number) => commit(actor, noon, { ...fenceKey(crbId, "customer"), fence });
  const put = (actor: string, id: string, rank: string, body: string, at = noon) =>
    commit(actor, at, { ...recordKey(list, id), rank, body });
  return { journal, takeLease, put };
}

test("it is a fault if a worker writes after another one has taken over its lease", () => {
  const { journal, takeLease, put } = newJournal();
  takeLease("first", 1);
  put("first", "a", formatPosition(day, 0), "{}");
  takeLease("second", 2);
  expect(journal.faults).toEqual([]);
  put("first", "a", formatPosition(day, 1), "{}");
  expect(journal.faults).toEqual(["first writes customer under the lease of second"]);
});

test("it is a fault if two workers have the same lease", () => {
  const { journal, takeLease } = newJournal();
  takeLease("first", 1);
  takeLease("second", 1);
  expect(journal.faults).toHaveLength(1);
});

test("a holder may repeat its write of the fence, but not once another worker has the lease", () => {
  const { journal, takeLease } = newJournal();
  takeLease("first", 1);
  takeLease("first", 1);
  expect(journal.faults).toEqual([]);
  takeLease("second", 2);
  takeLease("first", 1);
  expect(journal.faults).toEqual(["first takes lease 1 after second"]);
});

test("it is a fault if a record gets a position before an earlier change", () => {
  const { journal, put } = newJournal();
  put("worker", "a", formatPosition("2027-01-01", 0), "{}");
  put("worker", "b", formatPosition(day, 7), "{}");
  expect(journal.faults).toHaveLength(1);
});

test("a record that enters a later day than its writer's counts as a use of the day of entry", () => {
  const { journal, put } = newJournal();
  put("worker", "a", formatPosition("2027-01-01", 0), "{}");
  put("worker", "b", formatPosition("2027-01-01", 1), "{}", noon + 24 * 3_600_000);
  expect(journal.defenses.dayOfEntry).toBe(1);
});

test("a version of a record is current until the next one is committed", () => {
  const { journal, put } = newJournal();
  const [first, second] = [1, 2].map((version) => JSON.stringify({ id: "a", version })) as [string, string];
  put("worker", "a", formatPosition(day, 0), first);
  put("worker", "a", formatPosition(day, 1), second, noon + 1);
  expect(journal.supersededAt(list.pk, "a", first)).toBe(noon + 1);
  expect(journal.supersededAt(list.pk, "a", second)).toBeUndefined();
});
