import { randomUUID } from "node:crypto";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { v5 as uuid } from "uuid";
import { expect } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Bucket } from "../../../../shared/domain/documents/bucket.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { type ListOrder, type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import type { Fence } from "../../../../shared/store/orderedList/fence.ts";
import type { PageWindow } from "../../../../shared/store/orderedList/planPage.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { RecordWriter, type WriterOptions } from "../../../../shared/store/orderedList/recordWriter.ts";
import type { Clock } from "../../../../shared/time/clock.ts";

const namespace = "6f0f8f57-5d0c-4a53-9f0b-2f5a3a1c9d10";

/** A clock that moves only when a test sets it or a caller sleeps on it. */
export class TestClock implements Clock {
  time: number;
  constructor(start: string) {
    this.time = Date.parse(start);
  }
  now(): Date {
    return new Date(this.time);
  }
  async sleep(milliseconds: number): Promise<void> {
    this.time += milliseconds;
  }
  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** A record as the API would return it. */
export interface TestRecord {
  id: string;
  name: number;
  content: number;
  svc_created_date: string;
  svc_updated_date: string;
}

export const recordId = (name: number): string => uuid(String(name), namespace);

/** @param more further fields of the record */
export function recordToWrite(name: number, content: number, more: object = {}) {
  const id = recordId(name);
  return { id, content: { id, name, content, ...more, svc_created_date: null, svc_updated_date: null } };
}

interface GivenList extends Partial<WriterOptions> {
  crbId?: string;
  kind?: RecordKind;
  segmentSize?: number;
  /** The time at which its clock starts. */
  start?: string;
}

/** A fresh list on the table with a lease of fencing number 1, a clock, and writers with the given options. */
export async function newList(table: Table, { crbId = randomUUID(), kind = "customer", ...given }: GivenList = {}) {
  const { segmentSize = 8, start = "2026-03-01T10:00:00.000Z", ...options } = given;
  const list = recordList(crbId, kind, segmentSize);
  const fence: Fence = { key: { pk: `LEASE of ${list.pk}`, sk: "LEASE" }, number: 1 };
  await setFence(table, fence.key, 1);
  const clock = new TestClock(start);
  const writer = (more: Partial<WriterOptions> = {}, through = table) =>
    new RecordWriter(through, list, { fence, clock, ...options, ...more });
  /** Writes records by a writer that knows nothing yet. */
  const write = (names: readonly number[], content = 0) =>
    writer().write(names.map((name) => recordToWrite(name, content)));
  return { list, fence, clock, writer, write };
}

/** The order of a list with a number of records on 2026-03-01. Some have moved to the next day. */
export async function newOrder(table: Table, records: number, moved: readonly number[]): Promise<ListOrder> {
  const { list, clock, write } = await newList(table);
  await write([...Array(records).keys()]);
  clock.advance(24 * 3_600_000);
  await write(moved, 1);
  return list.orders.rank;
}

export async function setFence(table: Table, key: { pk: string; sk: string }, fence: number): Promise<void> {
  await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall({ ...key, fence }) }));
}

export const newWriter = (table: Table, list: OrderedList, options: WriterOptions): RecordWriter =>
  new RecordWriter(table, list, options);

export async function pageOf(table: Table, list: OrderedList, window: PageWindow) {
  const { total, records } = await readPage(table, list, window);
  return { total, records: records.map((record) => JSON.parse(record) as TestRecord) };
}

/** The names of records, from their texts. */
export const namesOf = (texts: readonly string[]): number[] => texts.map((text) => JSON.parse(text).name);

/** The list's records in the base table, newest position first: the expected content of pages. */
export async function storedRecords(table: Table, list: OrderedList): Promise<{ rank: string; record: TestRecord }[]> {
  const items = await table.queryPartition(list.pk, { consistent: true });
  const records = items.map(({ rank, body }) => ({ rank: rank as string, record: JSON.parse(body as string) }));
  return records.sort((a, b) => (a.rank < b.rank ? 1 : -1));
}

/** Compares pages, totals, windows, stamps and positions with the records of the base table. */
export async function expectSoundList(table: Table, list: OrderedList): Promise<void> {
  const stored = await storedRecords(table, list);
  const records = stored.map(({ record }) => record);
  expect(new Set(stored.map(({ rank }) => rank)).size).toBe(stored.length);
  for (const { rank, record } of stored) expect(record.svc_updated_date.slice(0, 10)).toBe(rank.slice(0, 10));
  expect(await pageOf(table, list, { offset: 0, limit: 1000 })).toEqual({ total: records.length, records });
  for (const limit of [1, 3, 7]) {
    for (let offset = 0; offset <= records.length; offset += Math.max(limit, 5)) {
      const expected = { total: records.length, records: records.slice(offset, offset + limit) };
      expect(await pageOf(table, list, { offset, limit })).toEqual(expected);
    }
  }
  const days = [...new Set(stored.map(({ rank }) => rank.slice(0, 10)))];
  for (const from of [undefined, ...days]) {
    for (const to of [undefined, ...days.filter((day) => !from || day >= from)]) {
      const inWindow = records.filter(({ svc_updated_date: date }) => {
        return (!from || date.slice(0, 10) >= from) && (!to || date.slice(0, 10) <= to);
      });
      const page = await pageOf(table, list, { offset: 1, limit: 4, from, to });
      expect(page).toEqual({ total: inWindow.length, records: inWindow.slice(1, 5) });
    }
  }
}

/** Hooks for the calls of a table's client, by command name such as "TransactWriteItemsCommand". */
export interface Calls {
  before: (command: string, input: unknown) => Promise<void> | void;
  after: (command: string) => Promise<void> | void;
}

/**
 * Puts hooks around every call of the client of a table or a bucket, and replaces earlier ones. Tests can change them at any
 * time.
 *
 * @param calls the hooks, if several clients share them
 */
export function interceptCalls(
  { client }: Pick<Table, "client"> | Pick<Bucket, "client">,
  calls: Calls = { before: () => undefined, after: () => undefined },
): Calls {
  // The hooks use only what all clients of the SDK have in common.
  (client as Table["client"]).middlewareStack.add(
    (next, context) => async (request) => {
      const command = context.commandName ?? "";
      await calls.before(command, request.input);
      const response = await next(request);
      await calls.after(command);
      return response;
    },
    { step: "initialize", name: "interceptCalls", priority: "high", override: true },
  );
  return calls;
}
