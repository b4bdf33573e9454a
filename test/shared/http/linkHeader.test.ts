import { expect, test } from "vitest";
import { pagedQuery } from "../../../shared/api/parameters.ts";
import { linkHeader } from "../../../shared/http/linkHeader.ts";
import type { RequestContext } from "../../../shared/http/requestContext.ts";

const linksOf = (search: string, page: { total: number; records: number }, operation = {}) => {
  const received = new URLSearchParams(search);
  const multiValueQueryStringParameters = Object.fromEntries([...received].map(([name, value]) => [name, [value]]));
  const query = { limit: Number(received.get("limit") ?? 1_000), offset: Number(received.get("offset") ?? 0) };
  return linkHeader(
    { query: pagedQuery, ...operation },
    { multiValueQueryStringParameters, input: { query } } as unknown as RequestContext,
    page,
  );
};

test.each([
  ["", { total: 10, records: 10 }, undefined],
  ["", { total: 0, records: 0 }, undefined],
  ["limit=4", { total: 10, records: 4 }, '<?limit=4&offset=4>; rel="next"'],
  ["limit=4&offset=4", { total: 10, records: 4 }, '<?limit=4&offset=8>; rel="next", <?limit=4&offset=0>; rel="prev"'],
  ["limit=4&offset=8", { total: 10, records: 2 }, '<?limit=4&offset=4>; rel="prev"'],
  ["limit=4&offset=2", { total: 10, records: 4 }, '<?limit=4&offset=6>; rel="next", <?limit=4&offset=0>; rel="prev"'],
  ["offset=90", { total: 10, records: 0 }, '<?offset=0>; rel="prev"'],
  ["limit=4&offset=10", { total: 10, records: 0 }, '<?limit=4&offset=8>; rel="prev"'],
  ["limit=4&offset=90", { total: 10, records: 0 }, '<?limit=4&offset=8>; rel="prev"'],
  ["limit=5&offset=11", { total: 10, records: 0 }, '<?limit=5&offset=5>; rel="prev"'],
  ["limit=1&offset=2147483647", { total: 1, records: 0 }, '<?limit=1&offset=0>; rel="prev"'],
  ["limit=4&offset=4", { total: 0, records: 0 }, '<?limit=4&offset=0>; rel="prev"'],
  // A page can be shorter than its limit if a record changes while it is read.
  ["limit=4", { total: 10, records: 3 }, '<?limit=4&offset=3>; rel="next"'],
  [
    "pos_customer_id=A%26B%20%3E&limit=1",
    { total: 2, records: 1 },
    '<?pos_customer_id=A%26B+%3E&limit=1&offset=1>; rel="next"',
  ],
])("the pages around %j of %j are linked", (search, page, link) => {
  expect(linksOf(search, page).Link).toBe(link);
});

test("secret parameters are not repeated in a link", () => {
  expect(linksOf("phone=3035550100&limit=1", { total: 2, records: 1 }, { secrets: ["query.phone"] })).toEqual({});
});
