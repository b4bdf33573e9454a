import { describe, expect, test, vi } from "vitest";
import { kindsByName } from "../../shared/api/kinds.ts";
import { isTagged } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { guardedRoutes, useStage } from "./useStage.ts";

const { call, idsFor, keyFor, stage } = useStage({ demoAlone: true });

const crbRoute = guardedRoutes.find(({ operationId }) => operationId === "getCrb");

/** Queries that an operation requires. */
const needed: Record<string, string> = { searchCrbCustomers: "?pos_customer_id=none" };

/** A download link's response without the parts that change every second. */
const lasting = ({ download_link: _link, expires_at: _end, ...record }: Record<string, unknown>) => record;

/** Compares responses again if they differ, because a run of replication or the delivery of an event can come between them. */
const compare = (responses: () => Promise<void>) => vi.waitFor(responses, { timeout: 3_000, interval: 200 });

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
    const expectSame = async (request: Parameters<typeof call>[1]) => {
      const answer = await call(route, { search, ...request });
      if (route.method !== "GET") return expect(answer.status).toBe(200);
      const plain = await call(route, { search });
      // Responses of changes may differ, and the signature of a link depends on the second of the request.
      if ("download_link" in plain.json) expect(lasting(answer.json)).toEqual(lasting(plain.json));
      else expect(answer.text).toBe(plain.text);
    };
    // Ids of licenses distinguish letter case.
    const written = ([name, id]: [string, string]) => [name, name === "license_id" ? id : id.toUpperCase()];
    const upper = Object.fromEntries(Object.entries(await idsFor(route)).map(written));
    await compare(() => expectSame({ ids: upper, authorization: `bearer ${keyFor(route)}` }));
    const token = route.caller !== "invitedUser" && (await tokenFor(route));
    if (token) await compare(() => expectSame({ authorization: token }));
  });
});

const twoRoutes = operationRegistry.filter(({ routes }) => routes.length > 1 && routes[0].method === "GET");
test.each(twoRoutes)("both routes of $handler return the same bytes", async (operation) => {
  await compare(async () => {
    const answers = await Promise.all(
      operation.routes.map((route) => call(route, { search: "limit" in operation.query.shape ? "?limit=50" : "" })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
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
  const whole = guardedRoutes.find(({ operationId }) => operationId === "getCrbInfo");
  if (!crbRoute || !whole) throw new Error("not in the operation registry");
  const core = await call(crbRoute);
  expect(Object.keys(core.json)).toHaveLength(23);
  expect((await call(whole)).json).toMatchObject(core.json);
});

test("a customer search finds a customer by the id in the POS", async () => {
  const [one, search] = ["getCrbCustomer", "searchCrbCustomers"].map((id) =>
    guardedRoutes.find(({ operationId }) => operationId === id),
  );
  if (!one || !search) throw new Error("not in the operation registry");
  const customer = (await call(one)).json;
  const found = await call(search, { search: `?pos_customer_id=%20${customer.pos_customer_id}%20` });
  expect(found.json).toEqual({ metadata: { total: 1, count: "1 - 1" }, data: [customer] });
  const none = { metadata: { total: 0, count: "0 - 0" }, data: [] };
  expect((await call(search, { search: `?pos_customer_id=${customer.pos_customer_id}&phone=none` })).json).toEqual(
    none,
  );
});
