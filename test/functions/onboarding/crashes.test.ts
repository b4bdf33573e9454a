import { expect, test } from "vitest";
import { handler as sweeper } from "../../../functions/documents/sweeper.ts";
import { serviceBucket } from "../../../shared/documents/bucket.ts";
import { sweep } from "../../../shared/documents/removals.ts";
import { readDocuments } from "../../../shared/documents/storedDocument.ts";
import { removalPartition } from "../../../shared/table/keys.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenOnboarding } from "./givenOnboarding.ts";

const table = useTestTable();
const bucket = useTestBucket();

const writing = /^(Put|Delete|Update|TransactWrite|Batch?Write)/;

/** Runs something in a process that dies after so many writes: neither those behind it nor any read happens. */
async function dyingAfter(writes: number, run: () => Promise<unknown>): Promise<number> {
  let done = 0;
  const clients = [table().client, serviceBucket().client] as { middlewareStack: typeof stack }[];
  for (const client of clients) {
    client.middlewareStack.add(
      (next, { commandName = "" }) =>
        async (request) => {
          if (done >= writes) throw new Error("killed");
          const answer = await next(request);
          if (writing.test(commandName)) done++;
          return answer;
        },
      { step: "initialize", name: "death", priority: "high", override: true },
    );
  }
  await run();
  for (const client of clients) client.middlewareStack.remove("death");
  return done;
}
declare const stack: {
  add(
    middleware: (
      next: (request: object) => Promise<object>,
      context: { commandName?: string },
    ) => (request: object) => Promise<object>,
    options: object,
  ): void;
  remove(name: string): void;
};

const removals = () => table().queryPartition(removalPartition, { consistent: true });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** Every document has its object and every object its document or its planned removal. */
async function expectSound(crbId: string, objects: number) {
  const documents = await readDocuments(table(), crbId, { consistent: true });
  const alive = documents.filter(({ record }) => !record.deleted);
  for (const { record } of alive) {
    expect(await serviceBucket().read(record.storage_key), record.id).toBeDefined();
  }
  expect(bucket.count()).toBe(objects);
}

test.each([
  ["the intent", 1, 0],
  ["the object", 2, 0],
  ["the record", 3, 1],
])("adding, killed after %s", async (_, writes, documents) => {
  const { add, crbId, template } = await givenOnboarding(table());
  const before = bucket.count();
  expect(await dyingAfter(writes, add)).toBe(writes);
  expect((await template()).json.standard_requirements[0].documents).toHaveLength(documents);
  // Within a day nothing is taken away, since the call may still be under way.
  await sweep(table(), serviceBucket(), inHours(23));
  await expectSound(crbId, before + (writes > 1 ? 1 : 0));
  expect(await removals()).toHaveLength(documents === 1 ? 0 : 1);
  expect((await add()).status).toBe(200);
  expect(await sweep(table(), serviceBucket(), inHours(25))).toEqual({ removed: 1 - documents, failed: 0 });
  await expectSound(crbId, before + 1 + documents);
  expect(await removals()).toEqual([]);
});

test.each([
  ["the record", 1],
  ["the object", 2],
  ["the planned removal", 3],
])("deleting, killed after %s", async (_, writes) => {
  const { add, remove, crbId } = await givenOnboarding(table());
  const before = bucket.count();
  const { document_id } = (await add()).json;
  expect(await dyingAfter(writes, () => remove(document_id))).toBe(writes);
  await sweeper();
  await expectSound(crbId, before);
  expect(await removals()).toEqual([]);
  expect((await remove(document_id)).status).toBe(404);
});

test("a removal that the store refuses stays planned, and holds up no other", async () => {
  const { add, remove } = await givenOnboarding(table());
  const ids = [(await add()).json.document_id, (await add()).json.document_id];
  for (const id of ids) expect(await dyingAfter(1, () => remove(id))).toBe(1);
  const { client } = serviceBucket();
  let refusals = 0;
  client.middlewareStack.add(
    (next) => async (request) => {
      if (refusals++ === 0) throw new Error("refused");
      return next(request);
    },
    { step: "initialize", name: "refusal" },
  );
  expect(await sweep(table(), serviceBucket(), new Date())).toEqual({ removed: 1, failed: 1 });
  client.middlewareStack.remove("refusal");
  expect(await sweep(table(), serviceBucket(), new Date())).toEqual({ removed: 1, failed: 0 });
  expect(await removals()).toEqual([]);
});
