import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { AccessScope } from "../../../shared/api/enumerations.ts";
import type { Route } from "../../../shared/api/operation.ts";
import { authorize } from "../../../shared/auth/authorize.ts";
import { issueCredential, type Principal } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { createSecret, digestOf, secretInHeader } from "../../../shared/auth/secrets.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey, tokenCountKey, tokenKey } from "../../../shared/store/keys/credentials.ts";
import { useTestTable } from "../../useTestTable.ts";

const spId = randomUUID();
const crbId = randomUUID();
const spRoute: Route = {
  operationId: "x",
  method: "GET",
  path: "/service-providers/{sp_id}/crbs/{crb_id}",
  caller: "serviceProvider",
  scope: "service-provider:read",
};
const crbRoute: Route = { operationId: "y", method: "GET", path: "/crbs/{crb_id}", caller: "crb", scope: "crb:read" };

const table = useTestTable();
beforeAll(() => table().put({ ...associationKey(spId, crbId) }));

const issue = async (kind: "serviceProvider" | "crb", scopes?: readonly AccessScope[], id?: string) => {
  const owner = { kind, id: id ?? (kind === "crb" ? crbId : spId) };
  const ownScopes = scopes ?? (kind === "crb" ? crbScopes : serviceProviderScopes);
  const { client_id: clientId, secret } = await issueCredential(table(), { owner, spId, scopes: ownScopes });
  return { clientId, secret, principal: { clientId, owner, spId, scopes: ownScopes } satisfies Principal };
};

const authorizeSecret = (
  secret: string,
  route: Route = spRoute,
  ids: Record<string, string> = { sp_id: spId, crb_id: crbId },
  address: string | undefined = "192.0.2.1",
) => authorize(table(), route, ids, secretInHeader(secret), address);
const rejectedAs = (kind: string) => expect.objectContaining({ kind });

describe("a valid credential", () => {
  test("has all its scopes as an API key", async () => {
    const { secret, principal } = await issue("serviceProvider");
    expect(await authorizeSecret(secret)).toEqual(principal);
  });

  test("has only the token's scopes as a token", async () => {
    const { principal } = await issue("serviceProvider");
    const token = await issueToken(table(), principal, ["service-provider:read"]);
    expect(await authorizeSecret(token.access_token)).toEqual({ ...principal, scopes: ["service-provider:read"] });
  });

  test.each<[string, AccessScope[], AccessScope[], AccessScope[]]>([
    ["no scope that the credential lacks", ["service-provider:read"], ["admin"], []],
    [
      "the common scopes",
      ["service-provider:read", "point-of-sale:read"],
      ["service-provider:write", "point-of-sale:read"],
      ["point-of-sale:read"],
    ],
    ["each scope if the credential has admin", ["admin"], ["point-of-sale:read"], ["point-of-sale:read"]],
  ])("has as a token %s", async (_, held, stored, granted) => {
    const { principal } = await issue("serviceProvider", held);
    const { access_token } = await issueToken(table(), principal, stored);
    const seen = authorizeSecret(access_token, { ...spRoute, scope: granted[0] ?? "service-provider:read" });
    if (granted.length === 0) await expect(seen).rejects.toEqual(rejectedAs("forbidden"));
    else expect((await seen).scopes).toEqual(granted);
  });

  test("works with ids in any letter case", async () => {
    const { secret } = await issue("serviceProvider");
    await authorizeSecret(secret, spRoute, { sp_id: spId.toUpperCase(), crb_id: crbId.toUpperCase() });
    const crb = await issue("crb");
    await authorizeSecret(crb.secret, crbRoute, { crb_id: crbId.toUpperCase() });
  });

  test("has every scope as admin, but no access to other ids", async () => {
    const { secret } = await issue("serviceProvider", ["admin"]);
    await authorizeSecret(secret);
    await expect(authorizeSecret(secret, spRoute, { sp_id: randomUUID(), crb_id: crbId })).rejects.toEqual(
      rejectedAs("forbidden"),
    );
    await expect(authorizeSecret(secret, crbRoute, { crb_id: crbId })).rejects.toEqual(rejectedAs("forbidden"));
  });

  test("is stored as digests, without the secret", async () => {
    const { clientId, secret, principal } = await issue("serviceProvider");
    const token = await issueToken(table(), principal, principal.scopes);
    const partitions = [credentialKey(clientId).pk, tokenCountKey(clientId).pk];
    const stored = JSON.stringify(await Promise.all(partitions.map((pk) => table().queryPartition(pk))));
    expect(stored).toContain(digestOf(secret));
    expect(stored).toContain(digestOf(token.access_token));
    expect(stored).not.toContain(secret.slice(25));
    expect(stored).not.toContain(token.access_token.slice(25));
  });
});

describe("a 401", () => {
  test("is returned for an unknown or altered secret", async () => {
    const { clientId, secret, principal } = await issue("serviceProvider");
    const token = (await issueToken(table(), principal, principal.scopes)).access_token;
    for (const wrong of [
      createSecret("sk", randomUUID()),
      createSecret("sk", clientId),
      createSecret("at", clientId),
      secret.replace("sk_", "at_"),
      token.replace("at_", "sk_"),
      secret.slice(0, -1) + (secret.endsWith("A") ? "B" : "A"),
    ]) {
      await expect(authorizeSecret(wrong)).rejects.toEqual(rejectedAs("unauthorized"));
    }
  });

  test("is returned for an expired token, from the second of its end", async () => {
    const { clientId, principal } = await issue("serviceProvider");
    const token = await issueToken(table(), principal, principal.scopes);
    const key = tokenKey(clientId, digestOf(token.access_token));
    const item = await table().get(key);
    await table().put({ ...key, ...item, expires: Math.floor(Date.now() / 1000) });
    await expect(authorizeSecret(token.access_token)).rejects.toEqual(rejectedAs("unauthorized"));
  });

  test.each([
    ["far in the future", Math.floor(Date.now() / 1000) + 10 * 3600],
    ["just beyond an hour and the difference of clocks", Math.floor(Date.now() / 1000) + 3600 + 60 + 120],
    ["no number", "never"],
    ["missing", undefined],
  ])("is returned for a stored token whose end is %s", async (_, expires) => {
    const { clientId, principal } = await issue("serviceProvider");
    const { access_token } = await issueToken(table(), principal, principal.scopes);
    expect(await authorizeSecret(access_token)).toMatchObject({ clientId });
    const key = tokenKey(clientId, digestOf(access_token));
    const { expires: _end, ...item } = (await table().get(key)) ?? expect.fail();
    await table().put({ ...item, ...key, ...(expires !== undefined && { expires }) });
    await expect(authorizeSecret(access_token)).rejects.toEqual(rejectedAs("unauthorized"));
  });

  test("is returned for a revoked credential and all its tokens", async () => {
    const { clientId, secret, principal } = await issue("serviceProvider");
    const token = await issueToken(table(), principal, principal.scopes);
    await revokeCredential(table(), clientId);
    await expect(authorizeSecret(secret)).rejects.toEqual(rejectedAs("unauthorized"));
    await expect(authorizeSecret(token.access_token)).rejects.toEqual(rejectedAs("unauthorized"));
  });
});

describe("a caller without access gets", () => {
  test("403 with a code and a message that say the reason", async () => {
    const [crb, sp] = [await issue("crb"), await issue("serviceProvider")];
    const limited = await issue("serviceProvider", ["point-of-sale:read"]);
    const other = { sp_id: randomUUID(), crb_id: crbId };
    await expect(authorizeSecret(crb.secret)).rejects.toMatchObject({
      details: { code: "wrong_path_family", message: "This kind of credential has no access to this path." },
    });
    await expect(authorizeSecret(limited.secret)).rejects.toMatchObject({
      details: {
        code: "scope_missing",
        message: expect.stringContaining("The credential does not hold the scope service-provider:read"),
      },
    });
    await expect(authorizeSecret(sp.secret, spRoute, other)).rejects.toMatchObject({
      details: {
        code: "wrong_service_provider",
        message: expect.stringContaining("belongs to another service provider"),
      },
    });
  });

  test("422 for all malformed ids in the service provider's path family", async () => {
    const { secret } = await issue("serviceProvider");
    const long = "x".repeat(5000);
    await expect(authorizeSecret(secret, spRoute, { sp_id: "Malformed", crb_id: long })).rejects.toMatchObject({
      kind: "invalid",
      details: {
        fields: {
          "path.sp_id": { message: "must be a uuid", value: "Malformed" },
          "path.crb_id": { message: "must be a uuid", value: "x".repeat(200) },
        },
      },
    });
  });
});
