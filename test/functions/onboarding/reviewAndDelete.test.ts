import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RequirementDocumentStatus } from "../../../shared/api/enumerations.ts";
import { crbTemplate } from "../../../shared/api/schemas/crbTemplate.ts";
import { readDocument } from "../../../shared/domain/documents/storedDocument.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { asking, givenOnboarding, note } from "./givenOnboarding.ts";

const table = useTestTable();
const bucket = useTestBucket();

type Statuses = readonly RequirementDocumentStatus[];

describe("the status of a document", () => {
  /** The statuses from a new document on, the next status, and the response. */
  const rows: [Statuses, RequirementDocumentStatus, number][] = [
    [[], "approved", 200],
    [[], "archived", 200],
    [[], "pending", 200],
    [["approved"], "pending", 200],
    [["approved"], "archived", 200],
    [["approved"], "approved", 200],
    [["archived"], "pending", 200],
    [["archived"], "archived", 200],
    [["archived"], "approved", 409],
  ];
  test.each(rows)("after pending and %j changes to %s: %i", async (way, to, expected) => {
    const { add, review, template, clientId } = await givenOnboarding(table());
    const { json } = await add();
    for (const status of way) expect((await review(json.document_id, status)).status).toBe(200);
    const before = (await template()).json;
    const answer = await review(json.document_id, to);
    expect(answer.status).toBe(expected);
    const after = (await template()).json;
    if (expected === 409 || to === (way.at(-1) ?? "pending")) expect(after).toEqual(before);
    if (expected === 409) return;
    expect(answer.json).toEqual(after.standard_requirements[0]);
    const [document] = answer.json.documents;
    const reviewed = { reviewed_by: clientId, review_date: expect.any(String) };
    expect(document).toMatchObject({ status: to, ...(to !== "pending" && reviewed) });
    expect("reviewed_by" in document, "reviewed_by").toBe(to !== "pending");
    expect("review_date" in document, "review_date").toBe(to !== "pending");
  });

  test("cannot be an unknown one, which gets 422", async () => {
    const { add, review } = await givenOnboarding(table());
    const { json } = await add();
    const answer = await review(json.document_id, "deleted" as "pending");
    expect([answer.status, answer.json.fields]).toEqual([
      422,
      { "body.status": { message: "must be one of approved, archived, pending", value: "deleted" } },
    ]);
  });
});

describe("the note of a review", () => {
  const review_note = "The second page is missing.";

  test("is shown with the archived document, until the document is reviewed again", async () => {
    const { add, review, template } = await givenOnboarding(table());
    const { json } = await add();
    const noteOf = async () => (await template()).json.standard_requirements[0].documents[0].review_note;
    expect((await review(json.document_id, "archived", {}, { review_note })).status).toBe(200);
    expect(await noteOf()).toBe(review_note);
    await review(json.document_id, "pending");
    expect(await noteOf()).toBeUndefined();
  });

  test.each([
    ["approved", review_note, "is allowed only with status archived"],
    ["archived", "", "must not be empty"],
    ["archived", "x".repeat(501), "must have at most 500 characters"],
    ["archived", "a\u0000b", "must not contain control or bidirectional formatting characters"],
  ] as const)("with status %s gets 422 if it is %j", async (status, text, message) => {
    const { add, review } = await givenOnboarding(table());
    const { json } = await add();
    const answer = await review(json.document_id, status, {}, { review_note: text });
    expect([answer.status, answer.json.fields["body.review_note"].message]).toEqual([422, message]);
  });
});

describe("a document that is unknown, of another requirement or of another CRB", () => {
  test("gets 404 from review and deletion", async () => {
    const requirements = [asking(), asking()];
    const [one, other] = [await givenOnboarding(table(), requirements), await givenOnboarding(table(), requirements)];
    const own = (await one.add()).json.document_id;
    const theirs = (await other.add()).json.document_id;
    const elsewhere = { requirement_id: requirements[1]?.requirement_id ?? "" };
    for (const [id, ids] of [
      [randomUUID(), {}],
      [theirs, {}],
      [own, elsewhere],
    ] as const) {
      expect((await one.review(id, "approved", ids)).status).toBe(404);
      expect((await one.remove(id, ids)).status).toBe(404);
    }
    expect((await one.review(own, "approved")).status).toBe(200);
  });
});

describe("the deletion of a document", () => {
  test.each<[string, Statuses]>([
    ["pending", []],
    ["approved", ["approved"]],
    ["archived", ["archived"]],
  ])("of a %s document is final", async (_, way) => {
    const { add, review, remove, crbId } = await givenOnboarding(table());
    const { document_id } = (await add()).json;
    for (const status of way) await review(document_id, status);
    const objects = bucket.count();
    const { status, json } = await remove(document_id);
    expect([status, json.status, json.documents]).toEqual([200, "not_started", []]);
    // The file and its base64 text.
    expect(bucket.count()).toBe(objects - 2);
    expect((await readDocument(table(), crbId, document_id))?.record).toMatchObject({ id: document_id, deleted: true });
    expect((await remove(document_id)).status).toBe(404);
    expect((await review(document_id, "pending")).status).toBe(404);
  });
});

describe("the status of a CRB", () => {
  test("and the dates of its answers follow the documents from svc_approved to bank_approved and back", async () => {
    const requirements = [asking(), asking(), asking({ required: false })];
    const { add, review, remove, template, status, clientId } = await givenOnboarding(table(), requirements);
    const second = { requirement_id: requirements[1]?.requirement_id ?? "" };
    expect((await template()).json).toMatchObject({ status: "svc_approved", review_start_date: null });
    expect((await template()).json).not.toHaveProperty("start_date");
    const one = (await add()).json.document_id;
    expect(await status()).toBe("bank_in_progress");
    const started = (await template()).json;
    expect(started).toMatchObject({ status: "bank_in_progress", start_date: started.last_updated });
    const two = (await add(note, second)).json.document_id;
    expect(await status()).toBe("bank_awaiting_review");
    const submitted = (await template()).json;
    expect(submitted).toMatchObject({ submitted_by: clientId, submitted_date: submitted.last_updated });
    expect(submitted.start_date).toBe(started.start_date);
    await review(one, "approved");
    expect(await status()).toBe("bank_review_in_progress");
    const begun = (await template()).json;
    expect(begun.review_start_date).toBe(begun.last_updated);
    await review(two, "approved", second);
    expect(await status()).toBe("bank_approved");
    const done = (await template()).json;
    expect(crbTemplate.parse(done)).toEqual(done);
    expect(done).toMatchObject({ reviewed_by: clientId, review_date: done.last_updated });
    await remove(one);
    expect(await status()).toBe("bank_in_progress");
    const reopened = (await template()).json;
    expect(reopened).not.toHaveProperty("review_date");
    expect(reopened).not.toHaveProperty("reviewed_by");
    expect(reopened).toMatchObject({ submitted_date: submitted.submitted_date, review_start_date: begun.last_updated });
    await remove(two, second);
    expect(await status()).toBe("bank_pending");
  });

  test.each(["svc_pending", "svc_in_progress", "svc_awaiting_review", "bank_disconnected"] as const)(
    "stays %s although documents can be added, reviewed and deleted",
    async (present) => {
      const { add, review, remove, status, template } = await givenOnboarding(table(), undefined, { status: present });
      const { document_id } = (await add()).json;
      expect((await review(document_id, "approved")).json.status).toBe("approved");
      expect(await status()).toBe(present);
      expect((await remove(document_id)).status).toBe(200);
      expect((await template()).json.status).toBe(present);
    },
  );

  test("stays bank_disconnected if the CRB is paused between two operations", async () => {
    const { add, setStatus, status } = await givenOnboarding(table());
    await add();
    await setStatus("bank_disconnected");
    await add();
    expect(await status()).toBe("bank_disconnected");
  });
});
