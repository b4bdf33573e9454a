import { expect, test } from "vitest";
import { renderBody } from "../../../../shared/store/orderedList/transactionPlanner.ts";

test("only dates that a record has are inserted, in their place", () => {
  const dates = { created: "2026-03-01T10:00:00.000Z", updated: "2026-03-02T10:00:00.000Z" };
  const [created, updated] = [`"svc_created_date":"${dates.created}"`, `"svc_updated_date":"${dates.updated}"`];
  expect(renderBody({ svc_updated_date: null, id: "a", svc_created_date: null }, dates)).toBe(
    `{${updated},"id":"a",${created}}`,
  );
  expect(renderBody({ svc_created_date: null, id: "a" }, dates)).toBe(`{${created},"id":"a"}`);
  expect(renderBody({ id: "a", svc_updated_date: null }, dates)).toBe(`{"id":"a",${updated}}`);
});
