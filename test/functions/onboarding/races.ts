import { AsyncLocalStorage } from "node:async_hooks";
import { beforeAll, expect } from "vitest";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { toCrbTemplate } from "../../../shared/domain/onboarding/answers.ts";
import { readOnboarding } from "../../../shared/domain/onboarding/readOnboarding.ts";
import { removalPartition } from "../../../shared/store/keys/onboarding.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

// Parallel operations on the documents of a CRB. A test file that imports this has its own table and bucket.

const table = useTestTable();
useTestBucket();

/** A call in which one read of the onboarding is delayed. */
interface Held {
  /** The number of these reads before the delayed one. */
  skip: number;
  /** Runs to its end before the delayed read. */
  meanwhile: () => Promise<void>;
  /** The number of transactions that the call has tried. */
  transactions: number;
}
const held = new AsyncLocalStorage<Held | undefined>();
const reads = new Set(["GetItemCommand", "BatchGetItemCommand", "TransactGetItemsCommand", "QueryCommand"]);

beforeAll(() => {
  table().client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (request) => {
        const call = held.getStore();
        // Excludes transactions that give events their positions, which can conflict with other events.
        const isOwn = commandName === "TransactWriteItemsCommand" && !/#HEAD"/.test(JSON.stringify(request));
        if (call && isOwn) call.transactions++;
        const isOfOnboarding = reads.has(commandName) && /ONBOARDING|#DOCUMENT|#UPLOAD/.test(JSON.stringify(request));
        if (call && isOfOnboarding && call.skip-- === 0) await held.run(undefined, call.meanwhile);
        return next(request);
      },
    { step: "initialize", name: "hold" },
  );
});

const pdf = Buffer.from("%PDF-1.7\nand more");

/**
 * A CRB with an approved document, a pending one and an upload whose file has arrived, and the operations on them.
 * @param names the operations that the test will run
 */
export async function given(...names: string[]) {
  // Documents of a paused CRB do not change its status, so that the CRB itself is not written.
  const record = names.includes("end the association") ? { status: "bank_disconnected" as const } : {};
  const crb = await givenOnboarding(table(), [asking(), asking({ required: false })], record);
  const approved = (await crb.add()).json.document_id;
  await crb.review(approved, "approved");
  const target = (await crb.add()).json.document_id;
  const { call } = crb;
  const file = { file_name: "sent.pdf", file_type: "application/pdf", size: pdf.length };
  const { json } = await call("createDocumentUpload", { body: file });
  const headers = { "Content-Type": "application/pdf", "If-None-Match": "*" };
  await fetch(json.upload_link, { method: "PUT", body: pdf, headers });
  const operations = {
    add: () => crb.add({ ...note, file_name: "added.txt" }),
    approve: () => crb.review(target, "approved"),
    archive: () => crb.review(target, "archived"),
    "send back": () => crb.review(approved, "pending"),
    delete: () => crb.remove(target),
    complete: () => call("completeDocumentUpload", { path: { document_id: json.document_id } }),
    "complete and delete": async () => {
      await operations.complete();
      return crb.remove(json.document_id);
    },
    "end the association": async () => ({
      status: (await endAssociation(table(), serviceBucket(), crb.crbId)) ? 200 : 404,
    }),
  };
  /** The visible state, without values that differ between CRBs. */
  const state = async () => {
    const onboarding = (await readOnboarding(table(), crb.crbId)) ?? expect.fail();
    const { answers, documents } = onboarding;
    const { status } = onboarding.crb.record;
    const shown = toCrbTemplate(answers, status, documents).standard_requirements.map((requirement) => ({
      status: requirement.status,
      documents: requirement.documents
        ?.map((document) => [document.file_name, document.status, "reviewed_by" in document].join(" "))
        .sort(),
    }));
    const stored = documents.map(({ record, review }) => [record.file_name, record.deleted, review.status].join(" "));
    // Objects of an ended association still exist, but cannot be read.
    const isThere = (key: string) =>
      serviceBucket()
        .read(key)
        .then(
          (content) => content !== undefined,
          () => true,
        );
    const objects = await Promise.all(documents.map(({ record }) => isThere(record.storage_key)));
    return { status, shown, stored: stored.sort(), objects: objects.filter(Boolean).length };
  };
  const planned = async () => {
    const removals = await table().queryPartition(removalPartition, { consistent: true });
    return removals.filter(({ sk }) => sk.includes(`#${crb.crbId}/`)).length;
  };
  return { operations, state, planned };
}
export type Name = keyof Awaited<ReturnType<typeof given>>["operations"];
export const names: Name[] = ["add", "approve", "archive", "send back", "delete", "complete"];
export const others: Name[] = [...names, "complete and delete", "end the association"];

/** The responses of two operations, in the order of their names, and the state afterwards. */
const outcome = (answers: [Name, number][], state: object) => ({
  answers: answers.map(([name, status]) => `${name}: ${status}`).sort(),
  state,
});

/** The outcome of two operations one after the other. */
const inOrder = memo(async (first: Name, second: Name) => {
  const { operations, state } = await given(first, second);
  const one = (await operations[first]()).status;
  const two = (await operations[second]()).status;
  return outcome(
    [
      [first, one],
      [second, two],
    ],
    await state(),
  );
});

function memo<T>(make: (first: Name, second: Name) => Promise<T>): typeof make {
  const made = new Map<string, Promise<T>>();
  return (...pair) => {
    const result = made.get(pair.join()) ?? make(...pair);
    made.set(pair.join(), result);
    return result;
  };
}

/**
 * Runs one operation again and again, each time with another read delayed until the other operation has ended. Expects each
 * outcome to equal that of one after the other.
 */
export async function expectOrder(one: Name, other: Name): Promise<void> {
  // After the end of an association, no operation is possible.
  const before = other === "end the association" ? [] : [inOrder(one, other)];
  const orders = await Promise.all([...before, inOrder(other, one)]);
  for (let skip = 0; ; skip++) {
    const { operations, state } = await given(one, other);
    let between: number | undefined;
    const call: Held = {
      skip,
      transactions: 0,
      meanwhile: async () => {
        between = (await operations[other]()).status;
      },
    };
    const { status } = await held.run(call, operations[one]);
    // The operation has no such read; all reads were delayed once.
    if (between === undefined) break;
    expect(orders, `read ${skip}`).toContainEqual(
      outcome(
        [
          [one, status],
          [other, between],
        ],
        await state(),
      ),
    );
    expect(call.transactions, "attempts").toBeLessThanOrEqual(2);
  }
}
