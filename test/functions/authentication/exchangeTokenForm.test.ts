import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import { oauthError, oauthValidationError } from "../../../shared/api/schemas/error.ts";
import { tokenResponse } from "../../../shared/api/schemas/token.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { createSecret } from "../../../shared/auth/secrets.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { testContext } from "../../requestEvent.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler, eventOf, loadHandler } from "../callHandler.ts";

// Form requests as OAuth 2 libraries send them (docs/spec.md#token-exchange; RFC 6749, 4.4 and 5.2).

const table = useTestTable();
const scopes: AccessScope[] = ["service-provider:read", "point-of-sale:read"];
const grant_type = "client_credentials";
let client_id = "";
let client_secret = "";

beforeAll(async () => {
  const id = randomUUID();
  const pair = await issueCredential(table(), { owner: { kind: "serviceProvider", id }, spId: id, scopes });
  ({ client_id, secret: client_secret } = pair);
});

const encoded = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const base64 = (text: string) => Buffer.from(text).toString("base64");
const basic = (id: string, secret: string) => `Basic ${base64(`${id}:${secret}`)}`;

async function post(form: string | Record<string, string>, authorization?: string) {
  const contentType = "application/x-www-form-urlencoded;charset=UTF-8";
  const body = typeof form === "string" ? form : encoded(form);
  const { headers = {}, ...answer } = await callHandler("exchangeToken", { contentType, body, authorization });
  return { ...answer, headers };
}

describe("a token is issued", () => {
  test("for id and secret in the form, whatever the header holds", async () => {
    for (const header of [undefined, "Basic nonsense", basic(client_id, "wrong")]) {
      const { status, headers, json } = await post({ client_id, client_secret, grant_type }, header);
      expect([status, headers["Content-Type"]]).toEqual([200, "application/json"]);
      expect(tokenResponse.parse(json)).toMatchObject({ scope: scopes.join(" "), expires_in: 3600, client_id });
    }
  });

  test("for an API key in the header", async () => {
    expect((await post({ grant_type }, client_secret)).status).toBe(200);
    expect((await post({ grant_type }, `Bearer ${client_secret}`)).status).toBe(200);
  });

  // Ids and secrets may be sent unchanged, in any letter case, and with every character encoded as in a form (RFC 6749,
  // 2.3.1).
  test.each<[string, () => string]>([
    ["Basic", () => basic(client_id, client_secret)],
    ["another letter case", () => basic(client_id.toUpperCase(), client_secret).replace("Basic", "bAsIc")],
    ["blanks around", () => `  Basic   ${base64(`${client_id}:${client_secret}`)} `],
    ["encoded", () => basic(percent(client_id), percent(client_secret))],
    ["no padding", () => basic(client_id, client_secret).replace(/=+$/, "")],
  ])("for id and secret in a Basic header: %s", async (_, authorization) => {
    const { status, json } = await post({ grant_type }, authorization());
    expect([status, json.client_id]).toEqual([200, client_id]);
  });

  test("for a Basic header whose client id the form repeats, and whatever else the form holds", async () => {
    for (const id of [client_id, client_id.toUpperCase()]) {
      const form = { grant_type, client_id: id, audience: "https://api.example.com", password: "hunter2" };
      const { status, json } = await post(form, basic(client_id, client_secret));
      expect([status, json.client_id]).toEqual([200, client_id]);
    }
    const repeated = `grant_type=${grant_type}&resource=a&resource=b`;
    expect((await post(repeated, client_secret)).status).toBe(200);
  });

  test("for a Basic header with a JSON body, in the format of JSON requests", async () => {
    const authorization = basic(client_id, client_secret);
    const { status, json } = await callHandler("exchangeToken", { body: { grant_type }, authorization });
    expect([status, json.scope]).toEqual([200, scopes]);
  });

  test.each([
    ["", scopes.join(" ")],
    ["   ", scopes.join(" ")],
    ["point-of-sale:read", "point-of-sale:read"],
    [" point-of-sale:read  service-provider:read point-of-sale:read ", "point-of-sale:read service-provider:read"],
  ])("with the requested scopes: %j gives %j", async (scope, given) => {
    const { status, json } = await post({ client_id, client_secret, grant_type, scope });
    expect([status, json.scope]).toEqual([200, given]);
  });

  test("for a form that the gateway passes on in base64, and for parameters without a value", async () => {
    const { handler, event } = eventOf("exchangeToken", {
      contentType: "application/x-www-form-urlencoded",
      body: base64(`grant_type=${grant_type}&client_id=&client_secret&audience=`),
      authorization: client_secret,
    });
    const exchangeToken = await loadHandler(handler);
    expect((await exchangeToken({ ...event, isBase64Encoded: true }, testContext)).statusCode).toBe(200);
  });
});

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("an exchange gets 401 invalid_client", () => {
  const pair = { name: "Unauthorized", code: "unauthorized", status: 401, error: "invalid_client" };
  const inForm = "A valid client_id and client_secret are needed.";
  const inHeader = "A valid credential is needed in the Authorization header.";

  test.each<[string, () => Record<string, string>]>([
    ["wrong id", () => ({ client_id: randomUUID(), client_secret })],
    ["wrong secret", () => ({ client_id, client_secret: createSecret("sk", client_id) })],
    ["id of no form", () => ({ client_id: "no\u0000body", client_secret })],
    ["secret of no form", () => ({ client_id, client_secret: "%zz \u0000 \ud83d\ude00" })],
    ["before everything else", () => ({ client_id, client_secret: "wrong", grant_type: "x", scope: "x", other: "1" })],
  ])("for a form with a wrong credential: %s", async (_, parameters) => {
    const { status, headers, json } = await post({ grant_type, ...parameters() });
    expect([status, json]).toEqual([401, { ...pair, message: inForm, error_description: inForm }]);
    expect(oauthError.parse(json)).toEqual(json);
    expect(headers["WWW-Authenticate"]).toBeUndefined();
  });

  test("for a Basic header of another client than the form names", async () => {
    const { status, json } = await post({ grant_type, client_id: randomUUID() }, basic(client_id, client_secret));
    expect([status, json.error]).toEqual([401, "invalid_client"]);
  });

  test.each<[string, () => string]>([
    ["wrong id", () => basic(randomUUID(), client_secret)],
    ["wrong secret", () => basic(client_id, createSecret("sk", client_id))],
    ["no secret", () => basic(client_id, "")],
    ["no id", () => basic("", client_secret)],
    ["no colon", () => `Basic ${base64(client_secret)}`],
    ["nothing", () => "Basic"],
    ["no base64", () => `Basic ${client_id}:${client_secret}`],
    ["broken percent encoding", () => basic(client_id, "%zz")],
    ["percent encoding of no UTF-8", () => basic(client_id, "%ff%fe")],
    ["no UTF-8", () => `Basic ${Buffer.from([0xff, 0x3a, 0xfe, 0x00]).toString("base64")}`],
    ["NUL", () => basic(`${client_id}\u0000`, client_secret)],
    ["a huge one", () => basic(client_id, "%".repeat(100_000))],
    ["two headers", () => `${basic(client_id, client_secret)}, ${basic(client_id, client_secret)}`],
  ])("and a challenge for a wrong Basic header: %s", async (_, authorization) => {
    const { status, headers, json } = await post({ grant_type }, authorization());
    expect([status, json]).toEqual([401, { ...pair, message: inHeader, error_description: inHeader }]);
    expect(headers["WWW-Authenticate"]).toBe('Basic realm="token", charset="UTF-8"');
  });

  test.each<[string, (() => string) | undefined]>([
    ["no header", undefined],
    ["an unknown key", () => createSecret("sk", client_id)],
    ["another scheme", () => `Digest ${client_secret}`],
  ])("and no challenge without a Basic header: %s", async (_, authorization) => {
    const { status, headers, json } = await post({ grant_type }, authorization?.());
    expect([status, json.error, headers["WWW-Authenticate"]]).toEqual([401, "invalid_client", undefined]);
  });

  test("for a token and for a revoked credential", async () => {
    const id = randomUUID();
    const owner = { kind: "serviceProvider" as const, id };
    const other = await issueCredential(table(), { owner, spId: id, scopes });
    const principal = { clientId: other.client_id, owner, spId: id, scopes };
    const { access_token } = await issueToken(table(), principal, scopes);
    expect((await post({ grant_type }, basic(other.client_id, access_token))).status).toBe(401);
    await revokeCredential(table(), other.client_id);
    expect((await post({ grant_type }, basic(other.client_id, other.secret))).status).toBe(401);
    expect((await post({ grant_type, client_id: other.client_id, client_secret: other.secret })).status).toBe(401);
  });
});

test("a scope that the credential lacks gets 403 invalid_scope", async () => {
  const { status, json } = await post({ client_id, client_secret, grant_type, scope: "point-of-sale:read crb:read" });
  const message = "The credential does not hold the scope crb:read.";
  expect([status, json]).toEqual([
    403,
    {
      name: "Forbidden",
      code: "scope_missing",
      message,
      status: 403,
      error: "invalid_scope",
      error_description: message,
    },
  ]);
});

test("an address that the credential does not allow gets 403 unauthorized_client", async () => {
  const id = randomUUID();
  const owner = { kind: "serviceProvider" as const, id };
  const away = await issueCredential(table(), { owner, spId: id, scopes, allowedCidrs: ["203.0.113.0/24"] });
  const form = { client_id: away.client_id, client_secret: away.secret, grant_type };
  expect(await post(form)).toMatchObject({
    status: 403,
    json: { code: "address_not_allowed", error: "unauthorized_client" },
  });
});

describe("an invalid form gets 422", () => {
  const good = () => encoded({ client_id, client_secret });
  const principal = `grant_type=${grant_type}`;
  const onlyOnce = { message: "must be sent only once" };
  const required = { message: "is required" };

  test.each<[error: string, form: () => string, fields: object]>([
    ["invalid_request", good, { "body.grant_type": required }],
    ["invalid_request", () => `${good()}&grant_type=`, { "body.grant_type": required }],
    [
      "invalid_request",
      () => `${good()}&${principal}&${principal}`,
      { "body.grant_type": { ...onlyOnce, value: [grant_type, grant_type] } },
    ],
    [
      "invalid_request",
      () => `${good()}&${principal}&scope=crb:read&scope=`,
      { "body.scope": { ...onlyOnce, value: ["crb:read", ""] } },
    ],
    ["invalid_request", () => `${good()}&${principal}&client_secret=x`, { "body.client_secret": onlyOnce }],
    [
      "invalid_request",
      () => `client_id=a&client_id=b&client_secret=c&${principal}`,
      { "body.client_id": { ...onlyOnce, value: ["a", "b"] } },
    ],
    ["invalid_request", () => `client_secret=x&${principal}`, { "body.client_id": expect.anything() }],
    [
      "invalid_request",
      () => `${principal}&client_id=a&client_secret=${"x".repeat(256)}`,
      { "body.client_secret": expect.anything() },
    ],
    [
      "unsupported_grant_type",
      () => `${good()}&grant_type=password&username=x&password=hunter2`,
      {
        "body.grant_type": {
          message: "must be one of client_credentials, urn:ietf:params:oauth:grant-type:jwt-bearer",
          value: "password",
        },
      },
    ],
    [
      "invalid_scope",
      () => `${good()}&${principal}&scope=crb:read%20root`,
      {
        "body.scope": { message: expect.stringContaining("must be words separated by spaces"), value: "crb:read root" },
      },
    ],
    ["invalid_scope", () => `${good()}&${principal}&scope=crb:read%09`, { "body.scope": expect.anything() }],
    ["invalid_scope", () => `${good()}&${principal}&scope=%ff%00`, { "body.scope": expect.anything() }],
    ["invalid_scope", () => `${good()}&${principal}&scope=${"x+".repeat(5_000)}`, { "body.scope": expect.anything() }],
    [
      "invalid_request",
      () => `client_secret=x&${principal}&scope=root`,
      { "body.scope": expect.anything(), "body.client_id": expect.anything() },
    ],
  ])("with the error %s in case %$", async (error, form, fields) => {
    const { status, json, text } = await post(form());
    expect([status, json.error, json.fields]).toEqual([422, error, fields]);
    expect(oauthValidationError.parse(json)).toEqual(json);
    expect(json.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,500}$/);
    expect(text).not.toMatch(/hunter2|sk_/);
  });

  test("if it is empty and the header is valid", async () => {
    const { status, json } = await post("", client_secret);
    expect([status, json.fields]).toEqual([422, { "body.grant_type": required }]);
    expect(json.error_description).toBe("grant_type is required");
  });
});

test("hostile and thousands of unknown parameters are ignored, and never repeated in the response", async () => {
  const secret = createSecret("sk", client_id);
  const valid = `${encoded({ client_id, client_secret })}&grant_type=${grant_type}`;
  for (const name of ["__proto__", '"\\\n\u0000é', secret, "x".repeat(5000), "%zz", "[]", "constructor"]) {
    const { status, text } = await post(`${valid}&${encodeURIComponent(name)}=1`);
    expect(status).toBe(200);
    expect(text).not.toContain(secret.slice(3, 30));
  }
  const many = Array.from({ length: 2_200 }, (_, index) => `${index.toString(36)}=1`).join("&");
  expect((await post(`${valid}&${many}`)).status).toBe(200);
});

test("a form that is larger than any valid request gets 413 with the plain error record", async () => {
  const { status, json } = await post(`scope=${"x".repeat(16 * 1024)}`);
  expect([status, json]).toEqual([
    413,
    { name: "Payload Too Large", code: "payload_too_large", message: expect.any(String), status: 413 },
  ]);
});

test("nothing of the form or the header is logged, whether the exchange succeeds or fails", async () => {
  const spies = (["info", "warn", "error"] as const).map((level) => vi.spyOn(log, level));
  await post({ client_id, client_secret, grant_type });
  await post({ grant_type }, basic(client_id, client_secret));
  await post({ client_id, client_secret, grant_type: client_secret, scope: client_secret });
  await post({ grant_type }, basic(client_id, "hunter2"));
  const lines = spies.flatMap((spy) => spy.mock.calls);
  const denied = ["request_id", "operation_id", "status", "duration_ms"];
  const granted = [
    ...denied,
    "extended_request_id",
    "client_id",
    "sub",
    "owner",
    "sp_id",
    "crb_id",
    "crb_ids",
    "record_id",
    "kinds",
    "records",
    "source",
  ];
  expect(lines.map(([message, line]) => [message, Object.keys(line as object)])).toEqual([
    ["access", granted],
    ["access", granted],
    ["access", granted],
    ["request", denied],
  ]);
  for (const secret of [client_secret.slice(3), "hunter2", base64(client_id).slice(0, -2)])
    expect(JSON.stringify(lines)).not.toContain(secret);
  for (const spy of spies) spy.mockRestore();
});
