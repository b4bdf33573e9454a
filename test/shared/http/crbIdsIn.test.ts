import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { exampleIds } from "../../../shared/api/operations/examples.ts";
import { crbIdsIn } from "../../../shared/http/crbIdsIn.ts";

/** Operations for service providers whose path names no CRB. */
const acrossCrbs = operationRegistry.filter(({ routes }) =>
  routes.some(({ caller, path }) => caller === "serviceProvider" && !path.includes("{crb_id}")),
);

describe.each(acrossCrbs)("$handler", ({ success, businessField }) => {
  const text = JSON.stringify(success.example);

  test("names the CRBs of its response in the access log", () => {
    const named = businessField ? crbIdsIn(text, businessField) : [];
    expect(named).toEqual(text.includes(exampleIds.crb) ? [exampleIds.crb] : []);
  });
});

test("records about no CRB name none, and a CRB with several records is named once", () => {
  const owners = [
    { owner: { kind: "serviceProvider", id: "provider" } },
    { owner: { kind: "crb", id: "a" } },
    { owner: { kind: "crb", id: "a" } },
  ];
  expect(crbIdsIn(JSON.stringify({ data: owners }), "owner")).toEqual(["a"]);
  expect(crbIdsIn(JSON.stringify({ data: [{ crb_id: null }, { crb_id: "b" }] }), "crb_id")).toEqual(["b"]);
});
