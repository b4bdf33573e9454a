import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { exchangeToken } from "../../../shared/api/operations/authentication.ts";
import { createWebhookEndpoint } from "../../../shared/api/operations/webhooks.ts";
import { describeUnknownParameter } from "../../../shared/http/unknownParameter.ts";
import { requestEvent } from "../../requestEvent.ts";
import { validateEvent } from "../../validateEvent.ts";

const [route] = exchangeToken.routes;
const request = (body: unknown, contentType?: string) => ({
  ...requestEvent({ resource: route.path, body, ...(contentType !== undefined && { contentType }) }),
  route,
});
const fieldsOf = (body: unknown, contentType?: string) =>
  validateEvent(exchangeToken, request(body, contentType)).fields;

/** The failing fields of a request whose schema takes no other field. */
const closedFieldsOf = (body: unknown) =>
  validateEvent(createWebhookEndpoint, { ...request(body), route: createWebhookEndpoint.routes[0] }).fields;

const good = { grant_type: "client_credentials" };

describe("the body", () => {
  test.each(["application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"])(
    "is read as %s",
    (type) => {
      expect(fieldsOf(good, type)).toBeUndefined();
    },
  );

  test("in base64 from the gateway is decoded", () => {
    const event = request(Buffer.from(JSON.stringify(good)).toString("base64"));
    expect(validateEvent(exchangeToken, { ...event, isBase64Encoded: true })).toMatchObject({ body: good });
  });

  test.each(["text/plain", "application/x-www-form-urlencodedx", "application/jsonp", ""])(
    "is rejected as %j",
    (type) => {
      const message = "must be sent as application/json or application/x-www-form-urlencoded";
      expect(fieldsOf(good, type)).toEqual({ body: { message } });
    },
  );

  test.each(["application/x-www-form-urlencoded", "APPLICATION/X-WWW-Form-Urlencoded ; charset=utf-8"])(
    "is read as a form with the type %s",
    (type) => {
      const event = request("grant_type=client_credentials&scope=crb%3Aread+point-of-sale:read", type);
      expect(validateEvent(exchangeToken, event)).toMatchObject({
        body: { ...good, scope: ["crb:read", "point-of-sale:read"] },
      });
    },
  );

  test.each(["{", "nonsense", '{"client_secret":"sk_visible"'])(
    "%j is not JSON, and its text is not echoed",
    (body) => {
      expect(fieldsOf(body)).toEqual({ body: { message: "must be JSON" } });
    },
  );

  test.each([undefined, "null", "[]", "1", '"text"'])("%j is not an object", (body) => {
    expect(Object.keys(fieldsOf(body) ?? {})).toEqual(["body"]);
  });
});

describe("failing fields", () => {
  test("are all reported together, unlisted ones included", () => {
    expect(fieldsOf({ client_id: 5, grant_type: "password", scope: ["crb:read", "root"], other: { a: 1 } })).toEqual({
      "body.client_id": { message: "must be a string", value: 5 },
      "body.grant_type": {
        message: "must be one of client_credentials, urn:ietf:params:oauth:grant-type:jwt-bearer",
        value: "password",
      },
      "body.scope.1": { message: expect.stringContaining("must be one of service-provider:read"), value: "root" },
    });
    expect(closedFieldsOf({ description: 5, other: { a: 1 }, extra: null })).toEqual({
      "body.url": { message: "is required" },
      "body.description": { message: "must be a string", value: 5 },
      "body.other": { message: "is not a field of this request", value: { a: 1 } },
      "body.extra": { message: "is not a field of this request", value: null },
    });
  });

  test("that are absent have no value", () => {
    expect(fieldsOf({})).toEqual({ "body.grant_type": { message: "is required" } });
  });

  test("include the missing half of a credential, whatever else fails", () => {
    expect(fieldsOf({ client_secret: "a" })).toMatchObject({ "body.client_id": {}, "body.grant_type": {} });
    expect(fieldsOf({ client_secret: "a", ...good })).toEqual({
      "body.client_id": { message: "is required together with client_secret" },
    });
  });

  test("never include the value of a secret", () => {
    for (const client_secret of ["", 5, { deep: "sk_visible" }, "x".repeat(256)]) {
      expect(fieldsOf({ ...good, client_id: "a", client_secret })).toEqual({
        "body.client_secret": { message: expect.any(String) },
      });
    }
  });

  test("include a list with too many elements as a whole", () => {
    for (const entry of [0, "crb:read", {}]) {
      const fields = fieldsOf({ ...good, scope: Array.from({ length: 101 }, () => entry) });
      expect(fields).toEqual({ "body.scope": { message: "must have at most 100 entries", value: expect.anything() } });
    }
    expect(fieldsOf({ ...good, scope: Array.from({ length: 100 }, () => "crb:read") })).toBeUndefined();
  });

  test("leave out a value that is nested too deep", () => {
    const deep = `{"grant_type":"client_credentials","scope":[${"[".repeat(5000)}${"]".repeat(5000)}]}`;
    expect(fieldsOf(deep)?.["body.scope.0"]).toEqual({ message: expect.stringContaining("must be one of") });
    expect(Object.keys(fieldsOf(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) ?? {})).toEqual(["body"]);
  });

  test("cut a long value to 200 characters, never inside a character", () => {
    expect(fieldsOf({ grant_type: "g".repeat(300) })?.["body.grant_type"]?.value).toBe("g".repeat(200));
    expect(fieldsOf({ grant_type: `${"g".repeat(199)}😀` })?.["body.grant_type"]?.value).toBe("g".repeat(199));
    expect(fieldsOf({ grant_type: { a: "g".repeat(300) } })?.["body.grant_type"]?.value).toBe(
      `{"a":"${"g".repeat(194)}`,
    );
  });

  test("with hostile names neither enlarge the response nor reach a prototype", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    const url = "https://example.com/hook";
    expect(Object.keys(closedFieldsOf({ url, ...many }) ?? {}).length).toBe(1000);
    expect(Object.keys(closedFieldsOf({ url, ["n".repeat(5000)]: 1 }) ?? {})).toEqual([`body.${"n".repeat(200)}`]);
    expect(closedFieldsOf(`{"url":"${url}","__proto__":{"x":1}}`)).toEqual({
      "body.__proto__": { message: "is not a field of this request", value: { x: 1 } },
    });
  });
});

describe("an Idempotency-Key", () => {
  const post = operationRegistry.flatMap((operation) =>
    operation.routes.filter(({ method }) => method === "POST").map((route) => ({ operation, route })),
  );
  const failureOf = ({ operation, route }: (typeof post)[number]) => {
    const event = { ...requestEvent({ resource: route.path, headers: { "idempotency-key": "k" } }), route };
    return validateEvent(operation, event).fields?.["header.idempotency-key"];
  };

  test("is rejected by each POST that could act twice", () => {
    const accepting = post.filter((one) => failureOf(one) === undefined).map(({ route }) => route.operationId);
    expect(accepting.sort()).toEqual(["createCrb", "createExport", "createStatement", "createWebhookEndpoint"]);
    const [rejecting] = post.filter((one) => failureOf(one) !== undefined);
    expect(rejecting && failureOf(rejecting)?.message).toMatch(/^is not supported by this operation/);
  });
});

const unknown = "is not a parameter of this operation";
const known = ["limit", "offset", "last_updated_from", "last_updated_to", "x".repeat(40)];

test.each([
  ["limits", "limit"],
  ["imit", "limit"],
  ["LIMIT", "limit"],
  ["last-updated-to", "last_updated_to"],
  ["last_updated_fro", "last_updated_from"],
  ["off", undefined],
  ["offs", "offset"],
  ["page", undefined],
  ["x".repeat(40), "x".repeat(40)],
  ["x".repeat(41), undefined],
])("the suggestion for %s is %s", (name, suggestion) => {
  expect(describeUnknownParameter(name, known)).toBe(suggestion ? `${unknown}; did you mean ${suggestion}?` : unknown);
});
