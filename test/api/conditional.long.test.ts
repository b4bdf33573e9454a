import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createSecret } from "../../shared/auth/secrets.ts";
import { guardedRoutes, routeOf, useStage } from "./useStage.ts";

const { call, keyFor } = useStage({ demoAlone: true });

const reads = guardedRoutes.filter(({ method }) => method === "GET");
const links = reads.filter(({ operationId }) =>
  ["getAccessReport", "getCrbDocumentDownload", "getExport", "getStatement"].includes(operationId),
);
const tagged = reads.filter((route) => !links.includes(route));
const search = ({ operationId }: (typeof reads)[number], more = "") =>
  operationId === "searchCrbCustomers" ? `?pos_customer_id=1${more && `&${more}`}` : `?${more}`;

// A second page needs two linked licenses. Tests of the same stage may have unlinked the demo's.
beforeAll(async () => {
  const { json } = await call(routeOf("searchLicenses"), { search: "?state=OR&limit=2" });
  const licenses = json.data as { id: string }[];
  expect(licenses).toHaveLength(2);
  for (const { id } of licenses) {
    const linked = await call(routeOf("linkCrbLicense"), { ids: { license_id: id } });
    expect(linked.status).toBe(200);
  }
});

/** The `ETag` of a response. */
async function tagOf(route: (typeof reads)[number], request: Parameters<typeof call>[1] = {}): Promise<string> {
  return (await call(route, { search: search(route), ...request })).headers.get("etag") ?? expect.fail("no tag");
}

const ifNoneMatch = (tag: string) => ({ headers: { "If-None-Match": tag } });

/** The forms of the header that name a tag; each route is tested with the tag itself and one other form. */
const otherForms = [(tag: string) => tag.slice(2), (tag: string) => `"other", ${tag}`, () => "*"];

describe.each(tagged)("$operationId with If-None-Match", (route) => {
  // The response of replications also changes with time alone, at the instant at which a replication becomes late.
  const once = { retry: /Replications$/.test(route.operationId) ? 1 : 0 };

  test("responds with 304 and no body to a caller who sends the current tag", once, async () => {
    const tag = await tagOf(route);
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    const otherForm = otherForms[tagged.indexOf(route) % otherForms.length]?.(tag) ?? expect.fail("no other form");
    for (const header of [tag, otherForm]) {
      const answer = await call(route, { search: search(route), ...ifNoneMatch(header) });
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(tag);
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("content-type")).toBeNull();
    }
    expect((await call(route, { search: search(route), ...ifNoneMatch('W/"other"') })).status).toBe(200);
  });

  test("has the same tag for HEAD, and responds with 304 there too", once, async () => {
    const tag = await tagOf(route);
    const head = await call(route, { search: search(route), method: "HEAD" });
    expect([head.status, head.headers.get("etag"), head.text]).toEqual([200, tag, ""]);
    const again = await call(route, { search: search(route), method: "HEAD", ...ifNoneMatch(tag) });
    expect([again.status, again.headers.get("etag")]).toEqual([304, tag]);
  });

  test("rejects an invalid request as usual, whichever tag it names", async () => {
    const tag = await tagOf(route);
    const headers = [tag, "*"];
    const status = async (request: Parameters<typeof call>[1]) => {
      headers.reverse();
      const answer = await call(route, { search: search(route), ...request, ...ifNoneMatch(headers[0] ?? "") });
      expect(answer.headers.get("etag")).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      return answer.status;
    };
    expect(await status({ authorization: null })).toBe(401);
    expect(await status({ authorization: createSecret("sk", randomUUID()) })).toBe(401);
    const otherRoute = guardedRoutes.find(({ caller }) => caller !== route.caller) ?? expect.fail("no other route");
    expect(await status({ authorization: keyFor(otherRoute) })).toBe(403);
    if (route.path.includes("{crb_id}")) expect(await status({ ids: { crb_id: randomUUID() } })).toBe(404);
    const named = [...route.path.matchAll(/\{(\w+_id)\}/g)].map(([, name = ""]) => name);
    const record = named.find((name) => name !== "sp_id" && name !== "crb_id");
    if (record) expect(await status({ ids: { [record]: randomUUID() } })).toBe(404);
    if ("limit" in route.operation.query.shape) expect(await status({ search: search(route, "limit=0") })).toBe(422);
  });
});

// The demo has only one license in Metrc, so that all pages of its connections would be equal.
const isPaged = ({ operation: { handler, query } }: (typeof reads)[number]) =>
  "offset" in query.shape && handler !== "stateSystems/listStateConnections";

test.each(tagged.filter(isPaged))("each page of $operationId has a tag of its own", async (route) => {
  const pages = ["limit=1", "limit=2", "limit=1&offset=1"].map((page) => search(route, page));
  const tags = await Promise.all(pages.map((page) => tagOf(route, { search: page })));
  expect(new Set(tags).size).toBe(3);
  expect(await tagOf(route, { search: search(route, "offset=0&limit=1") })).toBe(tags[0]);
});

test.each(tagged.filter(({ operation }) => "expand" in operation.query.shape))(
  "$operationId has another tag with products embedded",
  async (route) => {
    expect(await tagOf(route, { search: "?expand=true" })).not.toBe(await tagOf(route));
  },
);

test.each(links)("$operationId returns a link and therefore has no tag", async (route) => {
  const answer = await call(route, ifNoneMatch("*"));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("etag")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("each daily snapshot has its own tag, which stays the same", async () => {
  const route = routeOf("listLocationInventory");
  const on = (date: string) => tagOf(route, { search: `?date=${date}` });
  const tags = await Promise.all(["2020-01-01", "2020-01-01", "2020-01-02"].map(on));
  expect(tags[0]).toBe(tags[1]);
  expect(tags[0]).not.toBe(tags[2]);
  const ids = { location_id: randomUUID() };
  const unknown = await call(route, { search: "?date=2020-01-01", ids, ...ifNoneMatch("*") });
  expect(unknown.status).toBe(404);
  expect((await call(route, { search: "?date=2999-12-31", ...ifNoneMatch("*") })).status).toBe(422);
});
