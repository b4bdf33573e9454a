import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CrbStatus, crbStatuses, requirementDocumentStatuses } from "../../../shared/api/enumerations.ts";
import {
  crbMoves,
  moveCrb,
  type RequirementDocuments,
  statusAfterDocuments,
} from "../../../shared/domain/statuses/crbStatus.ts";

const guide = readFileSync("docs/guide/onboarding.md", "utf8");
const section = guide.split("## All statuses")[1]?.split("\n## ")[0] ?? "";
const rows = new Map(
  [...section.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|/gm)].map(([, status = "", next = ""]) => [
    status,
    [...next.matchAll(/: ([^;]*)/g)].flatMap(([, targets = ""]) =>
      [...targets.matchAll(/`(\w+)`/g)].map(([, target = ""]) => target),
    ),
  ]),
);

/** All documents that two requirements can have, with up to two documents each. */
const combinations: RequirementDocuments[][] = (() => {
  const lists = [[], ...requirementDocumentStatuses.map((one) => [one])].flatMap((list) => [
    list,
    ...requirementDocumentStatuses.map((other) => [...list, other]),
  ]);
  return lists.flatMap((one) =>
    lists.map((other) => [one, other].map((documents) => ({ required: true, archived: false, documents }))),
  );
})();

/** Every status that can follow a status, without a pause. */
function findNext(status: CrbStatus): Set<CrbStatus> {
  const byMove = crbMoves.filter((move) => move !== "pause").flatMap((move) => moveCrb(status, move) ?? []);
  const byDocuments = combinations.map((requirements) => statusAfterDocuments(status, requirements));
  const next = new Set([...byMove, ...byDocuments]);
  next.delete(status);
  return next;
}

test("the guide explains every status, and names every status that can follow it", () => {
  expect([...rows.keys()].sort()).toEqual([...crbStatuses].sort());
  for (const status of crbStatuses) expect(new Set(rows.get(status)), status).toEqual(findNext(status));
});

test("the operator can pause a CRB in every status but the paused one, as the guide says", () => {
  expect(crbStatuses.filter((status) => moveCrb(status, "pause") === undefined)).toEqual(["bank_disconnected"]);
});
