import { randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { rateLimitKey } from "../../../shared/store/keys/credentials.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider, type OperationRequest } from "../callHandler.ts";

const table = useTestTable();
useTestServiceKey();

const today = "2026-03-01";
afterAll(() => void vi.useRealTimers());

async function given() {
  // The test moves the table's time, so every list needs a writer with that clock.
  vi.useRealTimers();
  const provider = await givenServiceProvider(table());
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(`${today}T23:30:15.000Z`) });
  const search = (request: OperationRequest = {}) =>
    provider.call("searchCrbCustomers", { query: { last_name: "Nobody" }, ...request });
  /** The number of successful searches out of the given number. */
  const answered = async (count: number, what: OperationRequest = {}) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await search(what)).status);
    return statuses.filter((status) => status === 200).length;
  };
  return { ...provider, search, answered };
}

test("a credential and its tokens may search 60 times a minute, whatever they search for", async () => {
  const { spId, another, tokenOf, search, answered } = await given();
  const token = () => tokenOf(["point-of-sale:read"]);
  const other = randomUUID();
  await table().put({ ...associationKey(spId, other) });
  expect(await answered(20)).toBe(20);
  expect(await answered(20, { authorization: await token(), query: { phone: "1" } })).toBe(20);
  expect(await answered(30, { path: { crb_id: other } })).toBe(20);
  const { status, headers, json } = await search({ authorization: await token() });
  expect([status, headers?.["Retry-After"]]).toEqual([429, "45"]);
  expect(json).toEqual({
    name: "Too Many Requests",
    code: "rate_limited",
    message:
      "A credential may call this operation 60 times a minute and 2000 times a UTC day. Try again after Retry-After.",
    status: 429,
  });
  expect(await answered(1, { authorization: (await another()).secret })).toBe(1);
  vi.setSystemTime(Date.now() + 45_000);
  expect(await answered(61)).toBe(60);
});

test("a credential may search 2,000 times a UTC day", async () => {
  const { clientId, search, answered } = await given();
  const key = rateLimitKey(clientId, "searchCrbCustomers", today);
  await table().put({ ...key, minute: 0, in_minute: 60, in_day: 1_998 });
  expect(await answered(3)).toBe(2);
  expect(await search()).toMatchObject({ status: 429, headers: { "Retry-After": String(29 * 60 + 45) } });
  vi.setSystemTime(Date.now() + (29 * 60 + 45) * 1000);
  expect(await answered(1)).toBe(1);
});

test("parallel searches are not allowed more often", async () => {
  const { search } = await given();
  const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await search()).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});

test("searches that fail for other reasons do not count", async () => {
  const { secret: foreign } = await given();
  const { clientId, search } = await given();
  const refused: [number, OperationRequest][] = [
    [401, { authorization: "sk_none" }],
    [403, { authorization: foreign }],
    [404, { path: { crb_id: randomUUID() } }],
    [422, { query: {} }],
    [422, { query: { phone: "1", limit: 0 } }],
  ];
  for (const [status, what] of refused) expect((await search(what)).status).toBe(status);
  expect(await table().get(rateLimitKey(clientId, "searchCrbCustomers", today))).toBeUndefined();
});

test("a search beyond the limit reads only the authorization, and writes nothing", async () => {
  const { search, answered } = await given();
  await answered(61);
  const commands: string[] = [];
  interceptCalls(table()).before = (command) => void commands.push(command);
  expect((await search()).status).toBe(429);
  expect(commands).toEqual(["BatchGetItemCommand"]);
});
