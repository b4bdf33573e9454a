import { expect, test } from "vitest";
import { issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { listCredentials as readAll } from "../../../shared/auth/credentials.ts";
import { restrictCredential } from "../../../shared/auth/restrictCredential.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { revoking } from "../../revoking.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler, givenServiceProvider, type OperationRequest } from "../callHandler.ts";

const table = useTestTable();
useTestBucket();

const [inside, outside] = ["203.0.113.7", "198.51.100.7"];
const ranges = ["203.0.113.0/24", "2001:db8:40::/48"];

async function given() {
  const provider = await givenServiceProvider(table());
  const { secret, client_id: clientId } = await provider.another(serviceProviderScopes, { allowedCidrs: ranges });
  const list = async (authorization: string, more: OperationRequest = {}) =>
    provider.call("listCredentials", { authorization, ...more });
  const exchange = async (sourceIp: string, key = secret) =>
    callHandler("exchangeToken", {
      contentType: "application/json",
      sourceIp,
      body: { client_id: clientId, client_secret: key, grant_type: "client_credentials" },
    });
  const createPair = (body?: object, sourceIp = inside, authorization = secret) =>
    provider.call("createCrbAccess", { authorization, sourceIp, ...(body && { body }) });
  const readCrb = async (authorization: string, sourceIp: string) =>
    (await provider.call("getCrb", { authorization, sourceIp })).status;
  return { ...provider, secret, clientId, list, exchange, createPair, readCrb };
}

test.each([
  [inside, 200],
  ["203.0.113.255", 200],
  ["203.0.114.0", 403],
  [outside, 403],
  ["::ffff:203.0.113.7", 200],
  ["::ffff:198.51.100.7", 403],
  ["2001:db8:40::1", 200],
  ["2001:DB8:40:ffff::1", 200],
  ["2001:db8:41::1", 403],
  ["", 403],
  ["203.0.113.7, 198.51.100.7", 403],
  [undefined, 403],
])("from %s, a restricted key gets %i", async (sourceIp, expected) => {
  const { secret, list } = await given();
  const { status, json } = await list(secret, sourceIp === undefined ? {} : { sourceIp });
  expect([status, json.code]).toEqual([expected, expected === 403 ? "address_not_allowed" : undefined]);
});

test("an address in a header that the caller sets grants nothing", async () => {
  const { secret, list } = await given();
  const headers = {
    "X-Forwarded-For": inside,
    "X-Real-IP": inside,
    Forwarded: `for=${inside}`,
    "True-Client-IP": inside,
  };
  expect((await list(secret, { sourceIp: outside, headers })).status).toBe(403);
});

test("a token has the addresses of its credential, and is not issued elsewhere", async () => {
  const { exchange, list, secret } = await given();
  expect(await exchange(outside)).toMatchObject({ status: 403, json: { code: "address_not_allowed" } });
  const { json } = await exchange(inside);
  expect((await list(json.access_token, { sourceIp: inside })).status).toBe(200);
  expect(await list(json.access_token, { sourceIp: outside })).toMatchObject({
    status: 403,
    json: { code: "address_not_allowed" },
  });
  // A stranger with a wrong secret does not learn from which addresses the credential works.
  expect((await exchange(outside, `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`)).status).toBe(401);
});

test("a credential without ranges works from all addresses", async () => {
  const open = await givenServiceProvider(table());
  expect((await open.call("listCredentials", { sourceIp: outside })).status).toBe(200);
});

test("a pair gets the ranges of its issuer, or narrower ones", async () => {
  const { createPair, readCrb, list, secret } = await given();
  const inherited = await createPair();
  expect(inherited).toMatchObject({ status: 200, json: { allowed_cidrs: ranges } });
  const narrower = await createPair({ allowed_cidrs: ["203.0.113.128/25"] });
  expect(narrower).toMatchObject({ status: 200, json: { allowed_cidrs: ["203.0.113.128/25"] } });
  const read = (pair: typeof inherited, address: string) => readCrb(pair.json.secret, address);
  expect([await read(inherited, inside), await read(inherited, outside)]).toEqual([200, 403]);
  expect([await read(narrower, "203.0.113.200"), await read(narrower, inside)]).toEqual([200, 403]);
  const { json } = await list(secret, { sourceIp: inside });
  expect(json.data.map((one: { allowed_cidrs: unknown }) => one.allowed_cidrs)).toEqual(
    expect.arrayContaining([["203.0.113.128/25"], ranges, null]),
  );
});

test.each([
  [["203.0.112.0/23"], "body.allowed_cidrs.0", "must lie within"],
  [["203.0.113.0/25", "0.0.0.0/0"], "body.allowed_cidrs.1", "must lie within"],
  [["::/0"], "body.allowed_cidrs.0", "must lie within"],
  [["203.0.113.7"], "body.allowed_cidrs.0", "must be a range such as"],
  [["203.0.113.0/33"], "body.allowed_cidrs.0", "must be a range such as"],
  [["::ffff:203.0.113.0/120"], "body.allowed_cidrs.0", "must be a range such as"],
  [["0:0:0:0:0:FFFF:CB00:7100/120"], "body.allowed_cidrs.0", "must be a range such as"],
  [[], "body.allowed_cidrs", "must have at least 1 entry"],
])("a pair with the ranges %j gets 422 on %s", async (allowed_cidrs, field, message) => {
  const { createPair } = await given();
  const { status, json } = await createPair({ allowed_cidrs });
  expect([status, Object.keys(json.fields)]).toEqual([422, [field]]);
  expect(json.fields[field].message).toContain(message);
});

test("a credential that the operator restricts works from no other address, nor do those that it issued", async () => {
  const { clientId, secret, createPair, readCrb, list, spId, crbId } = await given();
  const [one, other] = [await createPair(), await createPair({ allowed_cidrs: ["203.0.113.128/25"] })];
  const readStored = async () =>
    (await readAll(table(), spId)).find((each) => each.client_id === clientId) ?? expect.fail();
  const restrict = async (cidrs?: string[]) => restrictCredential(table(), await readStored(), cidrs);
  const before = await readStored();
  const narrowed = await restrict(["203.0.113.192/26", "10.0.0.0/8"]);
  const rangesOf = new Map((await readAll(table(), spId)).map((each) => [each.client_id, each.allowed_cidrs]));
  expect(rangesOf.get(one.json.client_id)).toEqual(["203.0.113.192/26"]);
  expect(rangesOf.get(other.json.client_id)).toEqual(["203.0.113.192/26"]);
  expect(rangesOf.get(clientId)).toEqual(["203.0.113.192/26", "10.0.0.0/8"]);
  expect(narrowed).toHaveLength(2);
  expect([await readCrb(one.json.secret, "203.0.113.200"), await readCrb(one.json.secret, inside)]).toEqual([200, 403]);
  expect((await list(secret, { sourceIp: inside })).status).toBe(403);
  // Ranges that share no address leave none.
  await restrict(["192.0.2.0/24"]);
  // A command that has read earlier ranges writes nothing.
  expect(await restrictCredential(table(), before, ["198.51.100.0/24"])).toBeUndefined();
  expect(await readStored()).toMatchObject({ allowed_cidrs: ["192.0.2.0/24"] });
  expect(await readCrb(one.json.secret, "203.0.113.200")).toBe(403);
  // A pair that is issued while the operator restricts its issuer is not wider either.
  const raced = testTableOf(table());
  let isRestricted = false;
  interceptCalls(raced).before = async (command) => {
    if (command !== "TransactWriteItemsCommand" || isRestricted) return;
    isRestricted = true;
    await restrict(["192.0.2.128/25"]);
  };
  const late = await issueCrbAccess(raced, {
    spId,
    crbId,
    scopes: ["crb:read"],
    issuedBy: clientId,
    beforeRevocation: revoking,
  });
  expect(late.allowed_cidrs).toEqual(["192.0.2.128/25"]);
  // All addresses again, for itself only.
  await restrict();
  expect((await list(secret, { sourceIp: outside })).status).toBe(200);
  expect(await readCrb(late.secret, outside)).toBe(403);
});

test("a pair that another call narrows at the same time is not widened", async () => {
  const { clientId, createPair, spId } = await given();
  const pair = await createPair();
  const stored = async (id: string) =>
    (await readAll(table(), spId)).find((each) => each.client_id === id) ?? expect.fail();
  const raced = testTableOf(table());
  let isNarrowed = false;
  interceptCalls(raced).before = async (command, input) => {
    if (command !== "UpdateItemCommand" || isNarrowed || !JSON.stringify(input).includes(pair.json.client_id)) return;
    isNarrowed = true;
    await restrictCredential(table(), await stored(pair.json.client_id), ["203.0.113.64/26"]);
  };
  await restrictCredential(raced, await stored(clientId), ["203.0.113.0/25"]);
  expect(isNarrowed).toBe(true);
  expect((await stored(pair.json.client_id)).allowed_cidrs).toEqual(["203.0.113.64/26"]);
});
