import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordList } from "../../../../shared/table/keys.ts";
import { readEntries } from "../../../../shared/table/rankedList/entries.ts";
import { removeRecord } from "../../../../shared/table/rankedList/removeRecord.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import {
  chapterSize,
  expectSoundList,
  interceptCalls,
  newWriter,
  setFence,
  storedRecords,
  TestClock,
} from "./listUnderTest.ts";

const day = 24 * 60 * 60_000;
const fence = { key: { pk: "LEASE", sk: "LEASE" }, number: 1 };
const termsOf = (record: Record<string, unknown>) => [{ field: "parity", value: String(Number(record.name) % 2) }];

async function givenList(count: number) {
  const table = await createTestTable();
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const list = recordList(randomUUID(), "customer");
  await setFence(table, fence.key, fence.number);
  const content = (id: string, name: number) => ({
    id,
    content: { id, name, content: 0, svc_created_date: null, svc_updated_date: null },
  });
  const records = Array.from({ length: count }, (_, name) => content(randomUUID(), name));
  const writer = newWriter(table, list, { fence, clock, termsOf });
  for (let i = 0; i < count; i += 10) {
    await writer.write(records.slice(i, i + 10));
    clock.advance(day);
  }
  const entries = async () => {
    const found = await Promise.all(["0", "1"].map((value) => readEntries(table, list, { field: "parity", value })));
    return found.flatMap((each) => [...each.keys()]);
  };
  return { table, clock, list, records, writer, content, entries };
}

test("records taken off in any order leave a sound list without them, and their values find nothing", async () => {
  const { table, clock, list, records, entries, writer, content } = await givenList(45);
  const removed = records.filter((_, i) => i % 3 !== 1 || i < 20);
  for (const { id, content } of removed) {
    const body = await removeRecord(table, list, id, { termsOf, clock, chapterSize });
    expect(JSON.parse(body ?? "")).toMatchObject({ id, name: content.name });
    await expectSoundList(table, list);
  }
  const left = records.map(({ id }) => id).filter((id) => removed.every((gone) => gone.id !== id));
  expect((await storedRecords(table, list)).map(({ record }) => record.id).sort()).toEqual(left.sort());
  expect((await entries()).sort()).toEqual(left.sort());
  expect(await removeRecord(table, list, removed[0]?.id ?? "", { termsOf, clock, chapterSize })).toBeUndefined();

  // A writer that knew the list before plans anew.
  await writer.write([content(randomUUID(), 99), content(left[0] ?? "", 100)]);
  await expectSoundList(table, list);
});

test("two at once, beside a writer, are all done", async () => {
  const { table, clock, list, records, writer, content } = await givenList(20);
  const [one, other, changed] = records;
  await Promise.all([
    removeRecord(testTableOf(table), list, one?.id ?? "", { termsOf, clock, chapterSize }),
    removeRecord(testTableOf(table), list, other?.id ?? "", { termsOf, clock, chapterSize }),
    writer.write([content(changed?.id ?? "", 50)]),
  ]);
  await expectSoundList(table, list);
  expect(await storedRecords(table, list)).toHaveLength(18);
});

test("killed before or after any call, the record is there whole or not at all", async () => {
  const { table, clock, list, records, entries } = await givenList(20);
  for (let victim = 0; victim < 8; victim++) {
    const mortal = testTableOf(table);
    const calls = interceptCalls(mortal);
    let call = 0;
    const kill = () => {
      if (call++ === Math.floor(victim / 2)) throw new Error("killed");
    };
    if (victim % 2) calls.after = kill;
    else calls.before = kill;
    await removeRecord(mortal, list, records[victim]?.id ?? "", { termsOf, clock, chapterSize }).catch(() => undefined);
    await expectSoundList(table, list);
    expect((await entries()).sort()).toEqual((await storedRecords(table, list)).map(({ record }) => record.id).sort());
  }
});
