import { describe, expect, test } from "vitest";
import { handler } from "../../../functions/serviceProviders/getServiceProvider.ts";
import { headerOf, headersOf } from "../../../shared/http/headers.ts";
import { givenServiceProvider } from "../../functions/callHandler.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
const event = requestEvent({ resource: "/" });

test.each<[Record<string, string[]>, Record<string, string | undefined>, string | undefined]>([
  [{}, {}, undefined],
  [{}, { "X-Name": undefined }, undefined],
  [{ "X-Name": ["a"] }, {}, "a"],
  [{ "x-name": ["a", "b"] }, {}, "a, b"],
  [{ "X-Name": ["a"], "x-name": ["b"], "X-NAME": ["c"] }, {}, "a, b, c"],
  [{ "X-Other": ["b"] }, { "X-Name": "a", "x-name": "b" }, "a, b"],
  [{ "X-Name": ["a", "b"] }, { "X-Name": "b" }, "a, b"],
])("all values of %j and %j are joined", (multiValueHeaders, headers, value) => {
  expect(headerOf({ ...event, multiValueHeaders, headers }, "x-name")).toBe(value);
});

test("only headers of the request are returned", () => {
  const request = { ...event, multiValueHeaders: { "X-Name": ["a"], "X-Other": ["b"] } };
  expect(Object.entries(headersOf(request, ["x-name", "x-none"]))).toEqual([["x-name", "a"]]);
});

describe("a second value of the Authorization header is a 401", () => {
  test.each<[string, (good: string) => Record<string, string[]>]>([
    ["the same twice", (good) => ({ Authorization: [good, good] })],
    ["a valid one before another", (good) => ({ Authorization: [good, "x"] })],
    ["in two letter cases, the valid one first", (good) => ({ Authorization: [good], authorization: ["x"] })],
    ["in two letter cases, the valid one last", (good) => ({ AUTHORIZATION: ["x"], Authorization: [good] })],
    ["in two letter cases, both valid", (good) => ({ Authorization: [good], authorization: [`Bearer ${good}`] })],
    ["next to an empty one", (good) => ({ Authorization: [good], authorization: [""] })],
  ])("%s", async (_, headersOf) => {
    const { own, secret } = await givenServiceProvider(table());
    const request = requestEvent(own({ resource: "/service-providers/{sp_id}" }));
    expect((await handler(request, testContext)).statusCode).toBe(200);
    const { statusCode } = await handler({ ...request, multiValueHeaders: headersOf(secret) }, testContext);
    expect(statusCode).toBe(401);
  });
});
