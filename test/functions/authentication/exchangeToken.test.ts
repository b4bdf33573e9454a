import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import { tokenResponse } from "../../../shared/api/schemas/token.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { createSecret } from "../../../shared/auth/secrets.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { tokenCountKey } from "../../../shared/store/keys/credentials.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler } from "../callHandler.ts";

const table = useTestTable();
const scopes: AccessScope[] = ["service-provider:read", "point-of-sale:read"];
const grant_type = "client_credentials";
let client_id = "";
let client_secret = "";

const issue = (held: AccessScope[] = scopes, expiresAt?: Date) => {
  const id = randomUUID();
  return issueCredential(table(), { owner: { kind: "serviceProvider", id }, spId: id, scopes: held, expiresAt });
};

beforeAll(async () => {
  ({ client_id, secret: client_secret } = await issue());
});

const exchange = (body: unknown, authorization?: string) => callHandler("exchangeToken", { body, authorization });

describe("a token is issued", () => {
  test("for id and secret in the body, whatever the header holds", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, json } = await exchange({ client_id, client_secret, grant_type }, "Basic nonsense");
    expect(status).toBe(200);
    const answer = tokenResponse.parse(json);
    expect(answer).toMatchObject({ token_type: "Bearer", scope: scopes, client_id });
    expect(answer.issued_at).toBeGreaterThanOrEqual(before);
    expect(answer.expires_at - answer.issued_at).toBe(3600);
    expect(Object.keys(json)).toEqual(Object.keys(tokenResponse.shape));
    expect(answer.expires_in).toBe(3600);
  });

  test("for an API key in the header", async () => {
    const { status, json } = await exchange({ grant_type }, `Bearer ${client_secret}`);
    expect([status, json.client_id]).toEqual([200, client_id]);
  });

  test.each<[string, () => string]>([
    ["an API key", () => client_secret],
    ["Basic", () => `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`],
  ])("for a client id in the body that is also in the header: %s", async (_, authorization) => {
    const body = { client_id: client_id.toUpperCase(), grant_type };
    expect(await exchange(body, authorization())).toMatchObject({ status: 200, json: { client_id } });
  });

  test("if the body has parameters that the service does not know", async () => {
    const body = { client_id, client_secret, grant_type, audience: "https://api.example.com", resource: [1] };
    expect((await exchange(body)).status).toBe(200);
  });

  test("for a client id in any letter case", async () => {
    const { status, json } = await exchange({ client_id: client_id.toUpperCase(), client_secret, grant_type });
    expect([status, json.client_id]).toEqual([200, client_id]);
  });

  test.each([
    [undefined, scopes],
    [[], scopes],
    [["point-of-sale:read"], ["point-of-sale:read"]],
    [
      ["point-of-sale:read", "service-provider:read", "point-of-sale:read"],
      ["point-of-sale:read", "service-provider:read"],
    ],
  ])("with the requested scopes: %j gives %j", async (scope, given) => {
    const { json } = await exchange({ client_id, client_secret, grant_type, scope });
    expect(json.scope).toEqual(given);
  });
});

test("a token ends no later than its credential", async () => {
  const end = Math.floor(Date.now() / 1000) + 600;
  const issued = await issue(scopes, new Date(end * 1000 + 999));
  const { json } = await exchange({ client_id: issued.client_id, client_secret: issued.secret, grant_type });
  expect(json.expires_at).toBe(end);
  expect(json.expires_in).toBe(end - json.issued_at);
  expect(json.expires_in).toBeLessThanOrEqual(600);
});

const namesClient = (body: unknown) => typeof body === "object" && body !== null && "client_id" in body;

describe("an exchange gets 401, with the same response for wrong ids and wrong secrets, for", () => {
  test.each<[string, () => Promise<[unknown, string?]> | [unknown, string?]]>([
    ["neither place has a credential", () => [{ grant_type }]],
    ["no body and no header", () => [undefined]],
    ["wrong id", () => [{ client_id: randomUUID(), client_secret, grant_type }]],
    ["id of no uuid form", () => [{ client_id: "nobody", client_secret, grant_type }]],
    ["wrong secret", () => [{ client_id, client_secret: createSecret("sk", client_id), grant_type }]],
    ["secret of no known form", () => [{ client_id, client_secret: "open sesame", grant_type }]],
    ["another client's secret", async () => [{ client_id, client_secret: (await issue()).secret, grant_type }]],
    ["before grant_type and scope", () => [{ client_id, client_secret: "wrong", scope: ["x"] }]],
    ["id without secret, no header", () => [{ client_id, grant_type }]],
    ["another id than the API key's", () => [{ client_id: randomUUID(), grant_type }, client_secret]],
    ["id of no uuid form next to an API key", () => [{ client_id: "nobody", grant_type }, client_secret]],
    ["unknown API key in the header", () => [{ grant_type }, createSecret("sk", client_id)]],
  ])("%s", async (_, request) => {
    const [body, authorization] = await request();
    const { status, json } = await exchange(body, authorization);
    const message = namesClient(body)
      ? "A valid client_id and client_secret are needed."
      : "A valid credential is needed in the Authorization header.";
    expect([status, json]).toEqual([401, { name: "Unauthorized", code: "unauthorized", message, status: 401 }]);
  });

  test("a token as credential", async () => {
    const owner = { kind: "crb" as const, id: randomUUID() };
    const principal = { clientId: client_id, owner, spId: randomUUID(), scopes };
    const { access_token } = await issueToken(table(), principal, scopes);
    expect((await exchange({ grant_type }, access_token)).status).toBe(401);
    expect((await exchange({ client_id, client_secret: access_token, grant_type })).status).toBe(401);
  });

  test("a revoked credential", async () => {
    const revoked = await issue();
    await revokeCredential(table(), revoked.client_id);
    const body = { client_id: revoked.client_id, client_secret: revoked.secret, grant_type };
    expect((await exchange(body)).status).toBe(401);
    expect((await exchange({ grant_type }, revoked.secret)).status).toBe(401);
  });
});

describe("a scope", () => {
  test("that exists but that the credential does not have gets 403", async () => {
    const { status, text } = await exchange({ client_id, client_secret, grant_type, scope: ["crb:read"] });
    expect(status).toBe(403);
    expect(text).not.toContain(client_secret);
  });

  test("of any kind is given to a credential with the scope admin", async () => {
    const admin = await issue(["admin"]);
    const body = { client_id: admin.client_id, client_secret: admin.secret, grant_type, scope: ["crb:read"] };
    expect(await exchange(body)).toMatchObject({ status: 200, json: { scope: ["crb:read"] } });
  });
});

describe("an exchange gets 422 for", () => {
  test.each<[string, () => [unknown, string?], string[]]>([
    ["no JSON, whatever the header", () => ["{", client_secret], ["body"]],
    ["secret without id", () => [{ client_secret, grant_type }, client_secret], ["body.client_id"]],
    ["scope that is no list", () => [{ client_id, client_secret, grant_type, scope: "crb:read" }], ["body.scope"]],
    ["a text, whatever the header", () => ['"x"', client_secret], ["body"]],
    ["no body behind a good header", () => [undefined, client_secret], ["body"]],
  ])("%s", async (_, request, names) => {
    const { status, json, text } = await exchange(...request());
    expect([status, Object.keys(json.fields ?? {})]).toEqual([422, names]);
    expect(text).not.toContain(client_secret);
  });
});

describe("an exchange gets 429", () => {
  test("if the credential has a hundred live tokens, once all other checks have passed", async () => {
    const { client_id: id, secret } = await issue();
    const minute = Math.floor(Date.now() / 60_000);
    await table().put({ ...tokenCountKey(id), issued: 99, since: 0, [`m${minute - 30}`]: 99 });
    const body = { client_id: id, client_secret: secret, grant_type };
    expect((await exchange(body)).status).toBe(200);
    const refused = await exchange(body);
    expect(refused.json).toEqual({
      name: "Too Many Requests",
      code: "token_limit",
      message: "The caller has 100 valid access tokens, the maximum: reuse one, or wait until one expires.",
      status: 429,
    });
    const seconds = Number(refused.headers?.["Retry-After"]);
    expect(seconds).toBeGreaterThan(28 * 60);
    expect(seconds).toBeLessThanOrEqual(30 * 60 + 59);
    // None of these counts: another credential's token, a scope that the credential lacks, an invalid body.
    expect((await exchange({ client_id, client_secret, grant_type })).status).toBe(200);
    expect((await exchange({ ...body, scope: ["crb:read"] })).status).toBe(403);
    expect((await exchange({ ...body, grant_type: "password" })).status).toBe(422);
    expect((await exchange({ ...body, client_secret: createSecret("sk", id) })).status).toBe(401);
    expect(await table().get(tokenCountKey(id))).toMatchObject({ issued: 100 });
    // The rejected exchange stored no token.
    const tokens = await table().queryPartition(tokenCountKey(id).pk, { prefix: "TOKEN#" });
    expect(tokens).toHaveLength(1);
  });
});
