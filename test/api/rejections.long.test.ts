import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { firstRecordIds } from "../../infra/local/sampleEvent.ts";
import type { AccessScope } from "../../shared/api/enumerations.ts";
import type { Route } from "../../shared/api/operation.ts";
import { noChangesCursor, noEventsCursor, noPageCursor } from "../../shared/api/parameters.ts";
import { pickIds } from "../../shared/api/path.ts";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { revokeCredential } from "../../shared/auth/revoke.ts";
import { createSecret, digestOf } from "../../shared/auth/secrets.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import { encodeEventsCursor } from "../../shared/store/eventLog/eventsCursor.ts";
import { shardCount } from "../../shared/store/eventLog/shards.ts";
import { associationKey } from "../../shared/store/keys/crbs.ts";
import { tokenCountKey, tokenKey } from "../../shared/store/keys/credentials.ts";
import { validateEvent } from "../validateEvent.ts";
import { errorOf, guardedRoutes, routeOf, routes, type StageAnswer, useStage } from "./useStage.ts";

const { call, callRejected, ids, keyFor, stage } = useStage({ demoAlone: true });

/** Issues a credential to the owner that may use a route. */
async function issueFor(route: Route, scopes: AccessScope[]) {
  const { sp_id, crb_id } = await ids();
  const owner =
    route.caller === "crb" ? { kind: route.caller, id: crb_id } : { kind: "serviceProvider" as const, id: sp_id };
  const pair = await issueCredential(stage().table, { owner, spId: sp_id, scopes });
  return { ...pair, principal: { clientId: pair.client_id, owner, spId: sp_id, scopes } };
}

type TestedRoute = (typeof routes)[number];

const everyScope: AccessScope[] = ["admin"];

/** The names of the ids in a route's path. */
const namesIn = ({ path, operation }: TestedRoute) =>
  Object.keys(
    pickIds(operation, Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, ""]))),
  );

function expectError(answer: StageAnswer, status: number, name: string) {
  expect(errorOf(answer)).toEqual({ name, code: expect.any(String), message: expect.any(String), status });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-request-id")).toBeTruthy();
}

/** Expects that exactly these fields of a request are not valid. */
function expectFields(answer: StageAnswer, fields: object) {
  const error = { name: "Validation Failed", code: "validation_failed", message: "The request is not valid." };
  expect(errorOf(answer)).toEqual({ ...error, status: 422, fields });
}

const shared = new Map<string, Promise<unknown>>();

/** Creates a credential of the given name at its first use. All routes of one path family are tested with it. */
function shareCredential<Credential>(name: string, create: () => Promise<Credential>): Promise<Credential> {
  if (!shared.has(name)) shared.set(name, create());
  return shared.get(name) as Promise<Credential>;
}

/** Creates an expired token, and a revoked key with a token issued for it, of the owner that calls a route. */
async function createInvalidCredentials(route: TestedRoute): Promise<string[]> {
  const { table } = stage();
  const { client_id, secret, principal } = await issueFor(route, everyScope);
  const { access_token } = await issueToken(table, principal, everyScope);
  const expiring = await issueFor(route, everyScope);
  const expired = (await issueToken(table, expiring.principal, everyScope)).access_token;
  const key = tokenKey(expiring.client_id, digestOf(expired));
  await table.put({ ...key, ...(await table.get(key)), expires: Math.floor(Date.now() / 1000) - 1 });
  const search = "phone" in route.operation.query.shape ? "?phone=1" : "";
  expect((await call(route, { authorization: secret, search })).status).toBe(200);
  await revokeCredential(table, client_id);
  return [expired, secret, access_token];
}

describe.each(routes.filter(({ caller }) => caller !== "nobody"))("$operationId responds with 401", (route) => {
  const expect401 = async (authorization: string | null) =>
    expectError(await callRejected(route, { authorization }), 401, "Unauthorized");

  test("without a credential", () => expect401(null));
  test("with an unknown credential", () => expect401(createSecret("sk", randomUUID())));
  test("with an unknown token", () => expect401(createSecret("at", randomUUID())));
  test("with text that is no credential", () => expect401("Basic dXNlcjpwYXNz"));

  if (route.caller === "invitedUser") return;
  test("with an expired token, a revoked key and a token issued for it", async () => {
    const invalid = await shareCredential(`${route.caller}: invalid`, () => createInvalidCredentials(route));
    for (const authorization of invalid) await expect401(authorization);
  });
});

test.each([
  ["Authorization", "Authorization"],
  ["Authorization", "authorization"],
  ["AUTHORIZATION", "authorization"],
])("a request with a valid credential in %s and again in %s gets 401", async (...names) => {
  const route = routeOf("getServiceProvider");
  const statusOf = async (sent: readonly string[]) => {
    const { sp_id } = await ids();
    const url = stage().description.base_url + route.path.replace("{sp_id}", sp_id);
    // Sends each header line separately; `fetch` would join them.
    const headers = ["Host", "127.0.0.1", ...sent.flatMap((name) => [name, keyFor(route)])];
    const [response] = (await once(request(url, { headers }).end(), "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf(names.slice(0, 1))).toBe(200);
  expect(await statusOf(names)).toBe(401);
});

describe.each(guardedRoutes)("$operationId responds with 403", (route) => {
  const expect403 = async (...request: Parameters<typeof callRejected>) =>
    expectError(await callRejected(...request), 403, "Forbidden");

  test("to a credential of the other path family", async () => {
    const other = guardedRoutes.find(({ caller }) => caller !== route.caller);
    await expect403(route, { authorization: other ? keyFor(other) : null });
  });

  if (route.caller === "invitedUser") return;
  test("to a credential that has every scope except the required one", async () => {
    const all = ["service-provider:read", "service-provider:write", "crb:read", "point-of-sale:read", "trace"] as const;
    const others = all.filter((scope) => scope !== route.scope);
    const { secret } = await shareCredential(`${route.caller}: all but ${route.scope}`, () => issueFor(route, others));
    await expect403(route, { authorization: secret });
  });

  const { scope, additionalScope } = route;
  if (scope && additionalScope) {
    test("to a credential that lacks the second required scope", async () => {
      const { secret } = await shareCredential(`only ${scope}`, () => issueFor(route, [scope]));
      await expect403(route, { authorization: secret });
    });
  }

  test("to a token without the required scope", async () => {
    const { access_token } = await shareCredential(`${route.caller}: trace`, async () => {
      const { principal } = await issueFor(route, everyScope);
      return issueToken(stage().table, principal, ["trace"]);
    });
    await expect403(route, { authorization: access_token });
  });

  if (route.caller !== "serviceProvider") return;
  test("for another service provider's id", () => expect403(route, { ids: { sp_id: randomUUID() } }));
});

describe.each(guardedRoutes.filter(({ path }) => path.includes("{crb_id}")))(
  "$operationId responds with 404",
  (route) => {
    const othersCrb = randomUUID();
    beforeAll(() => stage().table.put({ ...associationKey(randomUUID(), othersCrb) }));

    test("for another service provider's CRB and for an unknown one", async () => {
      for (const crb_id of [othersCrb, randomUUID()]) {
        const answer = await callRejected(route, { ids: { crb_id } });
        expectError(answer, 404, "Not Found");
      }
    });

    const name = namesIn(route).find((each) => each !== "sp_id" && each !== "crb_id");
    if (!name) return;
    test("for an unknown record and for one of another CRB", async () => {
      const idsOf = (index: number) => firstRecordIds(stage().table, stage().description.crbs[index]?.crb_id ?? "");
      const theirs = { ...(await idsOf(2)), ...(await idsOf(1)) };
      expect(theirs[name]).toBeTruthy();
      for (const id of [randomUUID(), theirs[name] ?? ""]) {
        expectError(await callRejected(route, { ids: { [name]: id } }), 404, "Not Found");
      }
    });
  },
);

test.each(guardedRoutes.filter(({ path }) => path.includes("{kind}")))(
  "$operationId responds with 422 for an unknown kind",
  async (route) => {
    for (const kind of ["x", "Customers", "customer", "documents", "%00", "__proto__", "constructor"]) {
      const answer = await callRejected(route, { ids: { kind }, search: "?limit=0" });
      expect([answer.status, errorOf(answer).fields]).toEqual([
        422,
        {
          "path.kind": { message: expect.stringMatching(/^must be one of customers, .*, sales$/), value: kind },
          "query.limit": { ...limit, value: "0" },
        },
      ]);
    }
  },
);

describe.each(guardedRoutes.filter((route) => namesIn(route).length > 0))(
  "$operationId rejects a malformed id",
  (route) => {
    const malformed = ["x", "x".repeat(5000), "%00", "../x", "Nº1", `${randomUUID()}0`, "null", "__proto__"];

    test.each(namesIn(route))("in %s", async (name) => {
      for (const id of malformed) {
        const answer = await callRejected(route, { ids: { [name]: id } });
        if (route.caller === "crb") expectError(answer, 404, "Not Found");
        else expectFields(answer, { [`path.${name}`]: { message: "must be a uuid", value: id.slice(0, 200) } });
      }
    });
  },
);

const lists = guardedRoutes.filter(({ operation }) => "limit" in operation.query.shape);
const windows = lists.filter(({ operation }) => "last_updated_from" in operation.query.shape);
const limit = { message: "must be an integer from 1 to 1000" };
const offset = { message: "must be an integer from 0 to 2147483647" };

describe("a query gets 422", () => {
  const expect422 = async (route: Route, search: string, fields: object) => {
    const needed = route.operationId === "searchCrbCustomers" ? "&phone=1" : "";
    expectFields(await callRejected(route, { search: search + needed }), fields);
  };

  describe.each(guardedRoutes)("$operationId", (route) => {
    test("with an unknown parameter, whose value is not repeated", () =>
      expect422(route, "?emial=a@b.example", {
        "query.emial": { message: expect.stringMatching(/^is not a parameter of this operation/) },
      }));
  });

  describe.each(lists)("$operationId", (route) => {
    test.each([
      ["?Limit=0", { "query.Limit": { message: "is not a parameter of this operation; did you mean limit?" } }],
      ["?limit=0", { "query.limit": { ...limit, value: "0" } }],
      ["?limit=1001", { "query.limit": { ...limit, value: "1001" } }],
      ["?limit=abc", { "query.limit": { ...limit, value: "abc" } }],
      ["?limit=", { "query.limit": { ...limit, value: "" } }],
      ["?limit", { "query.limit": { ...limit, value: "" } }],
      ["?limit=5&limit=5", { "query.limit": { message: "must be sent only once", value: ["5", "5"] } }],
    ])("with %s", (search, fields) => expect422(route, search, fields));
  });

  describe.each(lists.filter(({ operation }) => "offset" in operation.query.shape))("$operationId", (route) => {
    test.each([
      ["?offset=-1", { "query.offset": { ...offset, value: "-1" } }],
      ["?offset=1&limit=5&offset=1", { "query.offset": { message: "must be sent only once", value: ["1", "1"] } }],
    ])("with %s", (search, fields) => expect422(route, search, fields));
  });

  test.each(lists.filter(({ operation }) => "cursor" in operation.query.shape))(
    "with an invalid cursor of $operationId",
    async (route) => {
      const ofEvents = route.operationId === "listEvents";
      const ofChanges = route.path.endsWith("/changes/{kind}");
      // A cursor of another service provider, of another kind of records, or of events.
      const cursor = ofChanges
        ? (await call(route, { ids: { kind: "products" } })).json.cursor
        : encodeEventsCursor(stage().table, randomUUID(), Array(shardCount).fill(0), new Date());
      const message = ofEvents ? noEventsCursor : ofChanges ? noChangesCursor : noPageCursor;
      for (const value of [String(cursor), "x", `${cursor}x`, "A".repeat(36), ""]) {
        await expect422(route, `?cursor=${value}`, { "query.cursor": { message, value } });
      }
    },
  );

  describe.each(windows)("$operationId", (route) => {
    test.each([
      [
        "?last_updated_from=2026-02-30",
        { "query.last_updated_from": { message: "must be a real calendar date", value: "2026-02-30" } },
      ],
      [
        "?last_updated_from=2026-03-02&last_updated_to=2026-3-1",
        { "query.last_updated_to": { message: "must not be before last_updated_from", value: "2026-3-1" } },
      ],
    ])("with %s", (search, fields) => expect422(route, search, fields));
  });

  const routesWith = (parameter: string) => guardedRoutes.filter(({ operation }) => parameter in operation.query.shape);
  test.each(routesWith("expand"))("with an unknown value of expand at $operationId", (route) =>
    expect422(route, "?expand=yes", { "query.expand": { message: "must be one of true, false", value: "yes" } }),
  );
  test.each(routesWith("date"))("with an invalid date at $operationId", async (route) => {
    await expect422(route, "?date=2026-02-30", {
      "query.date": { message: "must be a real calendar date", value: "2026-02-30" },
    });
    // Rules of future days may be listed.
    if (route.operationId === "listSaleRules") return;
    await expect422(route, "?date=2026-03-01&last_updated_from=2026-03-01", {
      "query.date": {
        message: "must not be sent together with last_updated_from or last_updated_to",
        value: "2026-03-01",
      },
    });
    await expect422(route, "?date=2999-12-31", {
      "query.date": { message: "must not be in the future", value: "2999-12-31" },
    });
  });
  test.each(routesWith("customer_id"))("with invalid filters of $operationId", async (route) => {
    await expect422(route, "?start_date=2026-03-02&end_date=2026-3-1&pos_customer_id=", {
      "query.end_date": { message: "must not be before start_date", value: "2026-3-1" },
      "query.pos_customer_id": { message: "must not be empty", value: "" },
    });
    const search = "?customer_id=1048213";
    if (route.caller === "serviceProvider") {
      await expect422(route, search, { "query.customer_id": { message: "must be a uuid", value: "1048213" } });
    } else {
      expect((await call(route, { search })).json).toEqual({ metadata: { total: 0, count: "0 - 0" }, data: [] });
    }
  });

  test.each(routesWith("licenseType"))("with invalid filters of $operationId", async (route) => {
    const search = "?state=ZZ&licenseType=Shop&name=%20&licenseNumber=";
    expect(errorOf(await call(route, { search })).fields).toEqual({
      "query.state": { message: expect.stringMatching(/^must be one of AL, .*, CAN, NLA$/), value: "ZZ" },
      "query.licenseType": { message: expect.stringContaining("Retail/Dispensary"), value: "Shop" },
      "query.name": { message: "must not be empty", value: " " },
      "query.licenseNumber": { message: "must not be empty", value: "" },
    });
  });

  test("of a customer search without a term or with a repeated term, which is not echoed", async () => {
    const route = routeOf("searchCrbCustomers");
    const none = await call(route);
    expect([none.status, errorOf(none).fields]).toEqual([
      422,
      { query: { message: expect.stringContaining("at least one of phone, email") } },
    ]);
    const twice = await call(route, { search: "?email=a@b.example&email=a@b.example" });
    expect(errorOf(twice).fields).toEqual({ "query.email": { message: "must be sent only once" } });
  });
});

describe("the body of a request", () => {
  const taking = routes.filter(({ method }) => method === "POST" || method === "PUT");
  /** Expects an error about the whole body. The error never shows the text, which may hold a secret. */
  const expectUnreadable = async (
    route: (typeof taking)[number],
    request: Parameters<typeof callRejected>[1],
    message: string,
  ) => {
    const answer = await callRejected(route, request);
    expect([answer.status, errorOf(answer).fields]).toEqual([422, { body: { message } }]);
  };

  test.each(taking)("to $operationId gets 422 if it is no JSON", (route) =>
    expectUnreadable(route, { body: '{"client_secret": "sk_x"' }, "must be JSON"),
  );

  test.each(taking)("to $operationId gets 422 if it has another content type", async (route) => {
    const form = "application/x-www-form-urlencoded";
    const [taken, others] = route.operation.form
      ? [`application/json or ${form}`, ["text/plain"]]
      : ["application/json", ["text/plain", form]];
    for (const contentType of others) {
      await expectUnreadable(route, { body: '{"secret":"hunter2"}', contentType }, `must be sent as ${taken}`);
    }
  });

  describe.each(taking)("to $operationId", (route) => {
    const secret = createSecret("sk", randomUUID());
    const expectNotEchoed = async (body: unknown) => {
      const answer = await callRejected(route, { body: JSON.stringify(body) });
      expect([body, answer.status]).toEqual([body, 422]);
      expect(JSON.stringify(errorOf(answer))).not.toMatch(/hunter2|sk_\w/);
    };

    test("has no secret echoed, wherever the caller puts it", async () => {
      const names = ["client_secret", "Client_Secret", "pos_credentials", "BASE64", "password"];
      names.push("key", "apiToken", "Authorization", "clientKey", "recApiKey");
      const underAll = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
      const [text, list, object] = [underAll("hunter2"), underAll(["hunter2"]), underAll({ key: "hunter2" })];
      // One field for each name: if a value holds several names, a listed one would hide the others.
      const alone = names.flatMap((name, at) => [
        [`unlisted${at}`, [{ [name]: ["hunter2"] }]],
        [`other${at}`, { inner: { [name]: "hunter2" } }],
      ]);
      const unlisted = Object.fromEntries(alone);
      await expectNotEchoed({ ...text, ...unlisted, pos_info: text, org: object, users: [text], file_name: list });
      await expectNotEchoed({ ...object, pos_info: list, org: text, timezone: object });
      await expectNotEchoed([text]);
      await expectNotEchoed(JSON.stringify({ password: "hunter2" }));
    });

    test("has no text echoed that looks like a secret of this service, as a value or as a name", async () => {
      const fields = { client_id: [secret], grant_type: secret, dba: 7, status: secret, file_type: `Bearer ${secret}` };
      await expectNotEchoed({ ...fields, timezone: secret.slice(0, -3), size: secret, org: secret });
      await expectNotEchoed({ [secret]: 1, [`Bearer%20${secret}`]: 1, timezone: `Bearer%20${secret}` });
      await expectNotEchoed(secret);
    });

    test("gets 413 before all other checks if it is larger than any valid request", async () => {
      const body = `{"scope":[0${",0".repeat(1024 * 1024)}]}`;
      const answer = await callRejected(route, { body, authorization: null });
      if (route.operation.holdsDocument) expectError(answer, 401, "Unauthorized");
      else expectError(answer, 413, "Payload Too Large");
    });

    test("gets 413 from 16 KiB on if callers need no credential", async () => {
      const isStrangers = route.caller === "anyone" || route.caller === "nobody";
      const answer = await callRejected(route, { body: `{"scope":"${"x".repeat(16 * 1024)}"}`, authorization: null });
      expect(answer.status === 413).toBe(isStrangers);
    });
  });

  describe.each(taking.filter(({ operation }) => !operation.body))("to $operationId, which needs no body,", (route) => {
    test.each([null, "", "{}", " { } "])("is accepted as %j", async (body) => {
      // The document id of an upload is unknown. The service looks it up after it has checked the body.
      const expected = route.path.includes("{document_id}") ? 404 : 200;
      expect((await call(route, { body, ids: { document_id: randomUUID() } })).status).toBe(expected);
    });

    test.each<[string, object]>([
      ['{"scope":"admin"}', { "body.scope": { message: "is not a field of this request", value: "admin" } }],
      ["[]", { body: { message: "must be an object", value: [] } }],
      ["{", { body: { message: "must be JSON" } }],
    ])("is rejected as %s", async (body, fields) => {
      const answer = await callRejected(route, { body });
      expect([answer.status, errorOf(answer).fields]).toEqual([422, fields]);
    });
  });

  test("is ignored for a read or a deletion", async () => {
    for (const method of ["GET", "DELETE"]) {
      const isOne = (each: TestedRoute) => each.method === method && !each.path.includes("search");
      const route = guardedRoutes.find(isOne) ?? expect.fail();
      const event = JSON.parse(
        readFileSync(new URL(`../../events/${route.operationId}.json`, import.meta.url), "utf8"),
      );
      expect(validateEvent(route.operation, { ...event, body: "no JSON", route }).fields).toBeUndefined();
    }
  });

  const guarded = guardedRoutes.filter(({ operation }) => operation.body);
  describe.each(guarded)("to $operationId gets 422", (route) => {
    const isOptional = route.operation.body?.safeParse(undefined).success;
    test.each<[string, string | null, string]>([
      ...(isOptional ? [] : [["no body", null, "body"] as [string, null, string]]),
      ["the value null", "null", "body"],
      ["a value that is no object", "[]", "body"],
      ["an unlisted field", '{"surprise":1}', "body.surprise"],
      ["an unlisted field with the name of an object's property", '{"__proto__":1}', "body.__proto__"],
    ])("for %s", async (_, body, name) => {
      const answer = await callRejected(route, { body });
      expect(answer.status).toBe(422);
      expect(Object.keys((answer.json.fields ?? {}) as object)).toContain(name);
    });
  });
});

describe("a request gets 429 with the seconds to wait", () => {
  test("if a credential has searched for customers sixty times in a minute", async () => {
    const search = routeOf("searchCrbCustomers");
    const { secret } = await issueFor(search, everyScope);
    let answer: StageAnswer;
    let answered = -1;
    do {
      answer = await call(search, { authorization: secret, search: "?phone=1" });
      answered++;
    } while (answer.status === 200);
    expectError(answer, 429, "Too Many Requests");
    // More than sixty if the minute ended during the test.
    expect(answered).toBeGreaterThanOrEqual(60);
    expect(answered).toBeLessThanOrEqual(120);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    const list = await call(routeOf("listCrbCustomers"), { authorization: secret, search: "?limit=1" });
    expect(list.status).toBe(200);
  });

  test("if a credential has a hundred live tokens", async () => {
    const exchange = routeOf("exchangeToken");
    const { client_id, secret: client_secret } = await issueFor(exchange, everyScope);
    const minute = Math.floor(Date.now() / 60_000) - 30;
    await stage().table.put({ ...tokenCountKey(client_id), issued: 100, since: 0, [`m${minute}`]: 100 });
    const body = JSON.stringify({ client_id, client_secret, grant_type: "client_credentials" });
    const answer = await call(exchange, { body });
    expectError(answer, 429, "Too Many Requests");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(28 * 60);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThan(31 * 60);
  });
});
