import { describe, expect, test } from "vitest";
import { type CrbStatus, crbStatuses, requirementDocumentStatuses } from "../../../../shared/api/enumerations.ts";
import { mayMove } from "../../../../shared/domain/onboarding/documentStatus.ts";
import {
  type CrbMove,
  moveCrb,
  type RequirementDocuments,
  statusAfterDocuments,
} from "../../../../shared/domain/statuses/crbStatus.ts";
import { requirementStatus } from "../../../../shared/domain/statuses/requirementStatus.ts";

describe("transitions of a CRB's status", () => {
  const allowed: [CrbStatus, CrbMove, CrbStatus][] = [
    ["svc_pending", "start", "svc_in_progress"],
    ["svc_in_progress", "submit", "svc_awaiting_review"],
    ["svc_awaiting_review", "sendBack", "svc_in_progress"],
    ["svc_awaiting_review", "approve", "svc_approved"],
    ["bank_approved", "pause", "bank_disconnected"],
    ["bank_review_in_progress", "pause", "bank_disconnected"],
    ["bank_awaiting_review", "pause", "bank_disconnected"],
    ["bank_in_progress", "pause", "bank_disconnected"],
    ["bank_pending", "pause", "bank_disconnected"],
    ["svc_approved", "pause", "bank_disconnected"],
    ["svc_awaiting_review", "pause", "bank_disconnected"],
    ["svc_in_progress", "pause", "bank_disconnected"],
    ["svc_pending", "pause", "bank_disconnected"],
    ["bank_disconnected", "resume", "bank_pending"],
  ];
  test.each(allowed)("%s, %s: becomes %s", (from, move, to) => expect(moveCrb(from, move)).toBe(to));

  const all = ["start", "submit", "sendBack", "approve", "pause", "resume"] as const;
  const rejected = crbStatuses
    .flatMap((from) => all.map((move) => [from, move] as const))
    .filter(([from, move]) => !allowed.some(([start, made]) => start === from && made === move));
  test.each(rejected)("%s, %s: rejected", (from, move) => expect(moveCrb(from, move)).toBeUndefined());
});

type Documents = RequirementDocuments["documents"];
const required = (...documents: Documents): RequirementDocuments => ({ required: true, archived: false, documents });
const optional = (...documents: Documents): RequirementDocuments => ({ required: false, archived: false, documents });
const archived = (...documents: Documents): RequirementDocuments => ({ required: true, archived: true, documents });

describe("the status computed after a document operation", () => {
  const rows: [string, RequirementDocuments[], CrbStatus][] = [
    ["no requirement", [], "bank_pending"],
    ["no document", [required(), optional()], "bank_pending"],
    ["archived documents alone", [required("archived"), optional("archived")], "bank_pending"],
    ["a required one without a document", [required("pending"), required()], "bank_in_progress"],
    ["a required one with an archived document", [required("approved"), required("archived")], "bank_in_progress"],
    ["an active document of an optional one alone", [required(), optional("approved")], "bank_in_progress"],
    ["an active document of an archived one alone", [required(), archived("approved")], "bank_in_progress"],
    ["every required one approved", [required("approved"), required("approved", "archived")], "bank_approved"],
    [
      "every required one approved, an optional one pending",
      [required("approved"), optional("pending")],
      "bank_approved",
    ],
    ["every required one approved, an archived one open", [required("approved"), archived()], "bank_approved"],
    ["a pending document next to an approved one", [required("approved", "pending")], "bank_review_in_progress"],
    ["one of two approved", [required("approved"), required("pending")], "bank_review_in_progress"],
    ["an optional one approved", [required("pending"), optional("approved")], "bank_review_in_progress"],
    ["all pending", [required("pending"), required("pending", "pending")], "bank_awaiting_review"],
    [
      "none required: those with an active document count, approved",
      [optional("approved"), optional()],
      "bank_approved",
    ],
    [
      "none required: one approved, one pending",
      [optional("approved"), optional("pending")],
      "bank_review_in_progress",
    ],
    ["none required: all pending", [optional("pending"), optional()], "bank_awaiting_review"],
    ["archived requirements do not count as required", [archived(), optional("pending")], "bank_awaiting_review"],
  ];
  const computedStatuses: CrbStatus[] = [
    "svc_approved",
    "bank_approved",
    "bank_review_in_progress",
    "bank_awaiting_review",
    "bank_in_progress",
    "bank_pending",
  ];
  test.each(rows)("%s", (_, requirements, status) => {
    for (const current of computedStatuses) expect(statusAfterDocuments(current, requirements), current).toBe(status);
  });

  test.each(crbStatuses.filter((status) => !computedStatuses.includes(status)))(
    "%s does not change, whatever the documents",
    (current) => {
      for (const [, requirements] of rows) expect(statusAfterDocuments(current, requirements)).toBe(current);
    },
  );
});

describe("transitions of a requirement document", () => {
  const rejected = [["archived", "approved"]];
  const pairs = requirementDocumentStatuses.flatMap((from) =>
    requirementDocumentStatuses.map((to) => [from, to] as const),
  );
  const isRejected = (from: string, to: string) => rejected.some((pair) => pair[0] === from && pair[1] === to);
  test.each(pairs)("%s to %s is allowed, except from archived to approved", (from, to) =>
    expect(mayMove(from, to)).toBe(!isRejected(from, to)),
  );
});

describe("the status of a requirement", () => {
  test.each([
    ["no document", [], "not_started"],
    ["an archived one", ["archived"], "not_started"],
    ["a pending one", ["pending"], "pending"],
    ["a pending one among approved ones", ["approved", "pending", "approved"], "pending"],
    ["approved ones", ["approved", "approved"], "approved"],
    ["approved and archived ones", ["archived", "approved"], "approved"],
  ] as const)("%s: %s", (_, documents, status) => expect(requirementStatus(documents)).toBe(status));
});
