import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Route } from "../../../shared/api/operation.ts";
import { getCrb } from "../../../shared/api/operations/crbs.ts";
import { accessEntry } from "../../../shared/http/accessEntry.ts";
import { receive } from "../../../shared/http/received.ts";
import type { RequestContext } from "../../../shared/http/requestContext.ts";
import { requestEvent } from "../../requestEvent.ts";

const [spId, crbId, recordId, partId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const crb = "/service-providers/{sp_id}/crbs/{crb_id}";
const principal = { clientId: randomUUID(), owner: { kind: "serviceProvider" as const, id: spId }, spId, scopes: [] };

function entryOf(method: Route["method"], path: string, status: number, more: Partial<RequestContext> = {}) {
  const ids = { sp_id: spId, crb_id: crbId, record_id: recordId, part_id: partId };
  const route = { operationId: "x", method, path, caller: "serviceProvider" } as Route;
  const event = { ...requestEvent({ resource: path, method, path: ids }), route };
  const received = receive(getCrb, event);
  return accessEntry({ ...event, received, arrived: 0, ...more }, principal, status);
}

test.each<[string, ReturnType<typeof entryOf>, number | null]>([
  ["a record by id", entryOf("GET", `${crb}/customers/{record_id}`, 200), 1],
  ["the CRB", entryOf("GET", crb, 200), 1],
  ["the state of a record", entryOf("GET", `${crb}/customers/{record_id}/state`, 200), 1],
  ["a record that the caller has, 304", entryOf("GET", `${crb}/customers/{record_id}`, 304), 0],
  ["a page", entryOf("GET", `${crb}/customers`, 200, { logged: { records: 7 } }), 7],
  ["a response without records", entryOf("GET", `${crb}/metrics`, 200), null],
  ["a new record", entryOf("POST", `${crb}/documents`, 200), null],
  ["a changed record", entryOf("PUT", `${crb}/documents/{record_id}`, 200), null],
  [
    "a failure with the lowest status",
    entryOf("GET", `${crb}/customers/{record_id}`, 400, { logged: { records: 7 } }),
    null,
  ],
])("the number of records of %s", (_, { records }, expected) => {
  expect(records).toBe(expected);
});

test.each([
  [`${crb}/documents/{record_id}/parts/{part_id}`, partId],
  [`${crb}/documents/{record_id}/parts`, recordId],
  [`${crb}/documents`, null],
])("the record of %s is the last id other than those of service provider and CRB", (path, id) => {
  expect(entryOf("GET", path, 200).record_id).toBe(id);
});

test("text in the place of the last id is not logged, but the id before it", () => {
  const path = `${crb}/documents/{record_id}/parts/{part_id}`;
  const pathParameters = { sp_id: spId, crb_id: crbId, record_id: recordId.toUpperCase(), part_id: "text" };
  expect(entryOf("GET", path, 404, { pathParameters }).record_id).toBe(recordId);
});
