import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { type Body, list, page, record, respond } from "../../../shared/http/handlerResult.ts";
import { requestEvent } from "../../requestEvent.ts";

const lambdaLimit = 6_291_556;
const request = requestEvent({ resource: "/crbs/{crb_id}/customers" });
request.requestContext.requestId = "0".repeat(36);
const sent = (body: string) => Buffer.byteLength(JSON.stringify(respond(request, { status: 200, body })));

test("a page has the stored texts in its envelope", () => {
  expect(list({ total: 7, records: ['{"a":1}', '{"b":2}'] }, 3).body()).toEqual({
    text: '{"metadata":{"total":7,"count":"4 - 5"},"data":[{"a":1},{"b":2}]}',
    records: 2,
    total: 7,
  });
});

test("an empty page has the count 0 - 0, even beyond the end", () => {
  const text = (total: number) => `{"metadata":{"total":${total},"count":"0 - 0"},"data":[]}`;
  expect(list({ total: 0, records: [] }, 0).body()).toEqual({ text: text(0), records: 0, total: 0 });
  expect(list({ total: 7, records: [] }, 7).body()).toEqual({ text: text(7), records: 0, total: 7 });
});

test("a record that does not exist is a 404", () => {
  expect(() => record(undefined, "CRB")).toThrow(expect.objectContaining({ kind: "notFound" }));
});

test.each([
  ["quotes, which count twice", `{"${'\\"'.repeat(2000)}":1}`],
  ["letters of three bytes", `{"k":"${"語".repeat(2500)}"}`],
  ["plain letters", `{"k":"${"x".repeat(9000)}"}`],
])("the error of a page too large for Lambda says how many records would fit: %s", (_, text) => {
  const page = (count: number) =>
    (list({ total: 1000, records: Array<string>(count).fill(text) }, 0).body() as Body).text;
  let failure: unknown;
  try {
    page(1000);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(ServiceError);
  const field = (failure as ServiceError).details.fields?.["query.limit"];
  const fitting = Number(/must be at most (\d+) here/.exec(field?.message ?? "")?.[1]);
  expect(sent(page(fitting))).toBeLessThan(lambdaLimit);
  expect(sent(page(fitting))).toBeGreaterThan(lambdaLimit * 0.99);
  expect(() => page(fitting + 1)).toThrow();
});

test("so is a page by cursor", () => {
  const text = (count: number) => {
    const records = Array.from({ length: count }, () => ({ note: "注".repeat(500), "a key": 'a "quote"' }));
    return (page({ records, cursor: "c", hasMore: true }, { judged_to: null }).body() as Body).text;
  };
  expect(JSON.parse(text(1))).toMatchObject({ data: [{ note: expect.any(String) }], has_more: true, judged_to: null });
  const { length } = Buffer.from(JSON.stringify(text(1)));
  const over = Math.ceil(lambdaLimit / (length - 100));
  expect(() => text(over)).toThrow();
  expect(JSON.parse(text(0))).toEqual({ data: [], cursor: "c", has_more: true, judged_to: null });
});

describe("Lambda's maximum minus 4,096 bytes for status and headers", () => {
  const page = (...lengths: number[]) =>
    (list({ total: 9, records: lengths.map((length) => "1".repeat(length)) }, 0).body() as Body).text;
  const bytesOf = (body: string) => JSON.stringify(body).length - 2;
  const maxBytes = lambdaLimit - 4_096;
  /** The maximum bytes of a page's records, with the commas between them. */
  const maxRecordBytes = maxBytes - bytesOf(page(1)) + 1;
  const fitting = (count: number) => {
    const message = `must be at most ${count} here: the page would be above the limit of 6 MB`;
    return expect.objectContaining({ details: { fields: { "query.limit": { message } } } });
  };

  test("fits, and one byte more does not", () => {
    expect(bytesOf(page(maxRecordBytes))).toBe(maxBytes);
    expect(() => page(maxRecordBytes + 1)).toThrow(fitting(0));
  });

  test("includes the commas between records", () => {
    expect(bytesOf(page(100, 100, maxRecordBytes - 202))).toBe(maxBytes);
    expect(() => page(100, 100, maxRecordBytes - 201)).toThrow(fitting(2));
    expect(() => page(100, 100, maxRecordBytes - 202, 1)).toThrow(fitting(3));
  });
});
