import { expect, test } from "vitest";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();

const today = () => new Date().toISOString().slice(0, 10);

test("lists the caller's credentials and those of its CRBs, newest first, without secrets", async () => {
  const { call, clientId, crbId, spId } = await givenServiceProvider(table());
  const expires_date = new Date(Date.now() + 60_000).toISOString();
  const { json: issued } = await call("createCrbAccess", { body: { name: "  Nightly report ", expires_date } });
  const { status, json, text } = await call("listCredentials");
  expect([status, json.metadata]).toEqual([200, { total: 2, count: "1 - 2" }]);
  const [crbs, own] = json.data;
  expect(crbs).toEqual({
    client_id: issued.client_id,
    name: "Nightly report",
    kind: "program",
    owner: { kind: "crb", id: crbId },
    scopes: ["crb:read", "point-of-sale:read"],
    created_date: expect.stringMatching(/Z$/),
    created_by: clientId,
    created_by_person: null,
    last_used_date: null,
    expires_date,
    allowed_cidrs: null,
    keys: [],
    status: "active",
  });
  expect(own).toMatchObject({
    client_id: clientId,
    name: null,
    owner: { kind: "service_provider", id: spId },
    scopes: serviceProviderScopes,
    created_by: null,
    last_used_date: today(),
    expires_date: null,
    status: "active",
  });
  expect(text).not.toContain("digest");
  expect(text).not.toContain("sk_");
});

test("returns the whole list page by page", async () => {
  const { call, another } = await givenServiceProvider(table());
  for (const name of ["one", "two", "three"]) await another([], { name });
  const page = async (limit: number, offset: number) => {
    const { json } = await call("listCredentials", { query: { limit, offset } });
    return [json.metadata.total, json.data.map(({ name }: { name: string | null }) => name)];
  };
  expect(await page(2, 0)).toEqual([4, ["three", "two"]]);
  expect(await page(2, 2)).toEqual([4, ["one", null]]);
  expect(await page(2, 4)).toEqual([4, []]);
});

test("marks revoked and expired credentials, and lists none of another service provider", async () => {
  const { call, another } = await givenServiceProvider(table());
  await givenServiceProvider(table());
  const expiresAt = new Date(Date.now() - 1);
  await another([], { name: "expired", expiresAt });
  const { client_id } = await another([], { name: "revoked", expiresAt });
  await revokeCredential(table(), client_id);
  const { json } = await call("listCredentials");
  const statuses = json.data.map(({ name, status }: Record<string, string>) => [name, status]);
  expect(statuses.sort()).toEqual([
    [null, "active"],
    ["expired", "expired"],
    ["revoked", "revoked"],
  ]);
});
