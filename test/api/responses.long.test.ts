import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { kindsByName } from "../../shared/api/kinds.ts";
import { isTagged } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { guardedRoutes, routeOf, useStage } from "./useStage.ts";

const { call, idsFor, keyFor, stage } = useStage({ demoAlone: true });

/** Queries that an operation requires. */
const needed: Record<string, string> = { searchCrbCustomers: "?pos_customer_id=none" };

/** A response without the parts of its links that depend on the second of the request and on the session that signs. */
function lasting(text: string): string {
  const links = ["download_link", "file_link"];
  return JSON.stringify(JSON.parse(text), (_, value) => {
    if (!links.some((name) => value?.[name])) return value;
    const names = [...links, "expires_at", "expires_date"];
    return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  });
}

type Answer = Awaited<ReturnType<typeof call>>;

/**
 * Expects 200 and the same response to all of some requests. Repeats them after a pause if the responses differ, because a
 * run of replication or the delivery of an event can come between two requests.
 */
async function expectSame(request: () => Promise<Answer>[], retries = 4): Promise<void> {
  const answers = await Promise.all(request());
  for (const { status } of answers) expect(status).toBe(200);
  const texts = answers.map(({ text }) => (text.includes("_link") ? lasting(text) : text));
  if (new Set(texts).size > 1 && retries > 0) {
    await setTimeout(200);
    return expectSame(request, retries - 1);
  }
  for (const text of texts) expect(text).toBe(texts[0]);
}

const tokens = new Map<string, string>();

/** A token of the demo's credential for a route. */
async function tokenFor(route: (typeof guardedRoutes)[number]): Promise<string> {
  const key = keyFor(route);
  const known = tokens.get(key);
  if (known) return known;
  const response = await fetch(`${stage().description.base_url}/auth/token`, {
    method: "POST",
    headers: { Authorization: key, "Content-Type": "application/json" },
    body: '{"grant_type":"client_credentials"}',
  });
  const { access_token } = (await response.json()) as { access_token: string };
  tokens.set(key, access_token);
  return access_token;
}

describe.each(guardedRoutes)("$operationId", (route) => {
  const search = needed[route.operationId] ?? "";

  test("responds with 200 and exactly its record", async () => {
    const answer = await call(route, { search });
    expect(answer.status).toBe(200);
    expect(route.operation.success.schema.parse(answer.json)).toEqual(answer.json);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const tagged = isTagged(route.operation, route);
    expect(answer.headers.get("cache-control")).toBe(tagged ? "private, no-cache" : "no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("gives the same response with ids in upper case and Bearer, and with a token", async () => {
    const expectSameAs = async (request: Parameters<typeof call>[1]) => {
      const answer = () => call(route, { search, ...request });
      if (route.method === "GET") await expectSame(() => [call(route, { search }), answer()]);
      // Responses of changes may differ.
      else expect((await answer()).status).toBe(200);
    };
    // Ids and numbers of licenses and ids of deposits distinguish letter case.
    const isExact = (name: string) => ["license_id", "license_number", "deposit_id"].includes(name);
    const written = ([name, id]: [string, string]) => [name, isExact(name) ? id : id.toUpperCase()];
    const upper = Object.fromEntries(Object.entries(await idsFor(route)).map(written));
    await expectSameAs({ ids: upper, authorization: `bearer ${keyFor(route)}` });
    if (route.caller !== "invitedUser") await expectSameAs({ authorization: await tokenFor(route) });
  });
});

// An invited user gets the records of another business.
const twoRoutes = operationRegistry.filter(
  ({ routes }) =>
    routes.length > 1 && routes[0].method === "GET" && routes.every(({ caller }) => caller !== "invitedUser"),
);
test.each(twoRoutes)("both routes of $handler return the same bytes", async (operation) => {
  const search = "limit" in operation.query.shape ? "?limit=50" : "";
  await expectSame(() => operation.routes.map((route) => call(route, { search })));
});

const changes = guardedRoutes.filter(({ operation }) => operation.handler === "changes/listChanges");
test.each(changes)("$operationId returns the records of each list in the opposite order", async (route) => {
  for (const kind of Object.keys(kindsByName)) {
    const list =
      guardedRoutes.find(({ path }) => path === route.path.replace("changes/{kind}", kind)) ?? expect.fail(kind);
    const [listed, changed] = await Promise.all([
      call(list, { search: "?limit=1000" }),
      call(route, { ids: { kind }, search: "?limit=1000" }),
    ]);
    const { data, has_more } = changed.json as { data: object[]; has_more: boolean };
    expect(data.length).toBeGreaterThan(0);
    const { metadata, data: page } = listed.json as { metadata: { total: number }; data: object[] };
    expect(has_more).toBe(metadata.total > 1_000);
    // In a longer list, each of the two first pages has other records.
    if (!has_more) expect(data).toEqual(page.toReversed());
  }
});

const expanding = guardedRoutes.filter(({ operation }) => "expand" in operation.query.shape);
test.each(expanding)("$operationId embeds products only with expand=true", async (route) => {
  const [plain, expanded, unexpanded] = await Promise.all(
    ["", "&expand=true", "&expand=false"].map((expand) =>
      call(route, { search: "limit" in route.operation.query.shape ? `?limit=50${expand}` : `?${expand.slice(1)}` }),
    ),
  );
  const records = (answer = plain) => (answer?.json.data ?? [answer?.json]) as Record<string, unknown>[];
  expect(records(expanded)).toEqual(
    records().map((record) => ({
      ...record,
      product: record.product_id === null ? null : expect.objectContaining({ id: record.product_id }),
    })),
  );
  expect(route.operation.success.schema.parse(expanded?.json)).toEqual(expanded?.json);
  expect(unexpanded?.text).toBe(plain?.text);
});

test("the record of a CRB in its own path family is a part of the record that its service provider gets", async () => {
  const core = await call(routeOf("getCrb"));
  expect(Object.keys(core.json)).toHaveLength(23);
  expect((await call(routeOf("getCrbInfo"))).json).toMatchObject(core.json);
});

test("a customer search finds a customer by the id in the POS", async () => {
  const customer = (await call(routeOf("getCrbCustomer"))).json;
  const search = async (query: string) => (await call(routeOf("searchCrbCustomers"), { search: `?${query}` })).json;
  const one = { metadata: { total: 1, count: "1 - 1" }, data: [customer] };
  expect(await search(`pos_customer_id=%20${customer.pos_customer_id}%20`)).toEqual(one);
  const none = { metadata: { total: 0, count: "0 - 0" }, data: [] };
  expect(await search(`pos_customer_id=${customer.pos_customer_id}&phone=none`)).toEqual(none);
});
