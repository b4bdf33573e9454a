import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { handler as exchangeToken } from "../../functions/authentication/exchangeToken.ts";
import { handler as listChanges } from "../../functions/changes/listChanges.ts";
import { handler as getCrb } from "../../functions/crbs/getCrb.ts";
import { handler as listCredentials } from "../../functions/credentials/listCredentials.ts";
import { handler as getCustomer } from "../../functions/customers/getCustomer.ts";
import { handler as listCustomers } from "../../functions/customers/listCustomers.ts";
import { handler as listEvents } from "../../functions/events/listEvents.ts";
import { handler as createExport } from "../../functions/exports/createExport.ts";
import { handler as deleteExport } from "../../functions/exports/deleteExport.ts";
import { handler as getExport } from "../../functions/exports/getExport.ts";
import { handler as listServiceProviderCrbs } from "../../functions/serviceProviders/listServiceProviderCrbs.ts";
import { demoServiceProvider } from "../../infra/local/demoBusinesses.ts";
import type { Route } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { newInvitationToken } from "../../shared/auth/invitationTokens.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/auth/scopes.ts";
import { createSecret } from "../../shared/auth/secrets.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import { changeExport, readExport } from "../../shared/domain/exports/storedExport.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { createCrb, putServiceProvider } from "../../shared/store/crbs.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { systemClock } from "../../shared/time/clock.ts";
import { crbRecord } from "../crbRecord.ts";
import { requestEvent, type TestRequest, testContext } from "../requestEvent.ts";
import { newWriter, recordId, recordToWrite, setFence } from "../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../testServiceKey.ts";
import { useQueues } from "../useQueues.ts";
import { useTestBucket } from "../useTestBucket.ts";
import { useTestTable } from "../useTestTable.ts";

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

useTestServiceKey();
const table = useTestTable();
useTestBucket();
useQueues();
const [spId, crbId, invitationId] = [randomUUID(), randomUUID(), randomUUID()];
const [sp, crb, invited] = [{ id: "", secret: "", token: "" }, { id: "", secret: "" }, { secret: "" }];
const address = "192.0.2.7";

beforeAll(async () => {
  vi.stubEnv("ETAG_SETTLE_SECONDS", "0");
  await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
  const owner = { kind: "serviceProvider" as const, id: spId };
  const ofSp = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes });
  const principal = { clientId: ofSp.client_id, owner, spId, scopes: serviceProviderScopes };
  const { access_token: token } = await issueToken(table(), principal, serviceProviderScopes);
  Object.assign(sp, { id: ofSp.client_id, secret: ofSp.secret, token });
  const ofCrb = await issueCredential(table(), { owner: { kind: "crb", id: crbId }, spId, scopes: crbScopes });
  Object.assign(crb, { id: ofCrb.client_id, secret: ofCrb.secret });
  const invitation = await newInvitationToken(table(), { invitationId, crbId, spId }, new Date());
  await table().transact([invitation.write]);
  invited.secret = invitation.token;
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table(), fence.key, 1);
  const writer = newWriter(table(), recordList(crbId, "customer"), { fence });
  await writer.write([recordToWrite(1, 0), recordToWrite(2, 0), recordToWrite(3, 0)]);
});
afterEach(() => void vi.restoreAllMocks());

/** The log lines of a request from `address`, and its response. */
async function logOf(handler: Handler, event: APIGatewayProxyEvent) {
  const logged = (["debug", "info", "warn", "error"] as const).map((level) => vi.spyOn(log, level));
  event.requestContext = { ...event.requestContext, identity: { sourceIp: address } as never };
  event.requestContext.extendedRequestId = "gateway-request";
  const response = await handler(event, testContext);
  const lines = logged.flatMap(({ mock }) => mock.calls) as unknown as [message: string, line: object][];
  vi.restoreAllMocks();
  return { response, lines, access: lines.filter(([message]) => message === "access").map(([, line]) => line) };
}

async function accessOf(handler: Handler, request: TestRequest) {
  const { response, access } = await logOf(handler, requestEvent({ authorization: crb.secret, ...request }));
  expect(access).toHaveLength(1);
  return { response, entry: access[0] };
}

const listRequest = (more: Partial<TestRequest> = {}) => ({
  resource: "/crbs/{crb_id}/customers",
  path: { crb_id: crbId },
  ...more,
});

test("a read of a record is logged with client, owner, CRB, operation, record, count, status, request and source", async () => {
  const { entry } = await accessOf(getCustomer, {
    resource: "/crbs/{crb_id}/customers/{customer_id}",
    path: { crb_id: crbId.toUpperCase(), customer_id: recordId(1).toUpperCase() },
  });
  expect(entry).toEqual({
    request_id: "test-request",
    extended_request_id: "gateway-request",
    operation_id: "getCustomer",
    status: 200,
    duration_ms: expect.any(Number),
    client_id: crb.id,
    sub: null,
    owner: { kind: "crb", id: crbId },
    sp_id: spId,
    crb_id: crbId,
    crb_ids: null,
    record_id: recordId(1),
    kinds: null,
    records: 1,
    source: address,
  });
});

describe("the logged number of records", () => {
  test("is the size of a page of a list", async () => {
    const { entry } = await accessOf(listCustomers, listRequest({ query: { limit: ["2"] } }));
    expect(entry).toMatchObject({ status: 200, records: 2, record_id: null });
  });

  test("is the size of a page of changes, and the log names their kind", async () => {
    const path = { crb_id: crbId, kind: "customers" };
    const { entry } = await accessOf(listChanges, { resource: "/crbs/{crb_id}/changes/{kind}", path });
    expect(entry).toMatchObject({ records: 3, kinds: ["customers"], record_id: null });
  });

  test("is the size of a page of events", async () => {
    const resource = "/service-providers/{sp_id}/events";
    const { entry, response } = await accessOf(listEvents, {
      resource,
      path: { sp_id: spId },
      authorization: sp.secret,
    });
    expect(entry).toMatchObject({ records: JSON.parse(response.body).data.length, crb_id: null, client_id: sp.id });
  });

  test("is 1 for the record of a CRB", async () => {
    const { entry } = await accessOf(getCrb, { resource: "/crbs/{crb_id}", path: { crb_id: crbId } });
    expect(entry).toMatchObject({ records: 1, record_id: null });
  });

  test("is 0 if the caller has the current version of the page", async () => {
    const { response } = await accessOf(listCustomers, listRequest());
    const headers = { "If-None-Match": String(response.headers?.ETag) };
    const unchanged = await accessOf(listCustomers, listRequest({ headers }));
    expect(unchanged.entry).toMatchObject({ status: 304, records: 0 });
  });

  test("of HEAD is that of GET, since the response's headers reveal the page", async () => {
    const head = await accessOf(listCustomers, listRequest({ method: "HEAD" }));
    expect(head.entry).toMatchObject({ status: 200, records: 3 });
    const path = { sp_id: spId };
    const across = { resource: "/service-providers/{sp_id}/crbs", path, authorization: sp.secret };
    const { entry } = await accessOf(listServiceProviderCrbs, { ...across, method: "HEAD" });
    expect(entry).toMatchObject({ records: 1, crb_ids: [crbId] });
  });

  test("is null for a request that fails after access was allowed", async () => {
    const invalid = await accessOf(listCustomers, listRequest({ query: { limit: ["0"] } }));
    expect(invalid.entry).toMatchObject({ status: 422, records: null });
    const unknown = randomUUID();
    const missing = await accessOf(getCustomer, {
      resource: "/crbs/{crb_id}/customers/{customer_id}",
      path: { crb_id: crbId, customer_id: unknown },
    });
    expect(missing.entry).toMatchObject({ status: 404, records: null, record_id: unknown });
  });
});

describe("the businesses of a response across businesses", () => {
  const path = { sp_id: spId };

  test.each<[string, Handler, string]>([
    ["list of CRBs", listServiceProviderCrbs, "/service-providers/{sp_id}/crbs"],
    ["list of credentials", listCredentials, "/service-providers/{sp_id}/credentials"],
    ["page of events", listEvents, "/service-providers/{sp_id}/events"],
  ])("are in the line of a %s", async (_, handler, resource) => {
    const { entry, response } = await accessOf(handler, { path, authorization: sp.secret, resource });
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body).data.length).toBeGreaterThan(0);
    expect(entry).toMatchObject({ crb_id: null, crb_ids: [crbId] });
  });

  test("are null if the request fails, or names the business in its path", async () => {
    const resource = "/service-providers/{sp_id}/crbs";
    const query = { limit: ["0"] };
    const { entry } = await accessOf(listServiceProviderCrbs, { path, authorization: sp.secret, resource, query });
    expect(entry).toMatchObject({ status: 422, crb_id: null, crb_ids: null });
    expect((await accessOf(listCustomers, listRequest())).entry).toMatchObject({ crb_id: crbId, crb_ids: null });
  });
});

describe("the line of an export", () => {
  const resource = "/service-providers/{sp_id}/crbs/{crb_id}/exports";
  const request = () => ({ resource, path: { sp_id: spId, crb_id: crbId }, authorization: sp.secret });
  const part = (kind: "products" | "sales", records: number) => ({
    ...{ kind, part: 1, records, bytes: 10, sha256: "0".repeat(64), storage_key: `exports/${crbId}/x/${kind}-1` },
  });

  test("has its id and kinds from its creation on, and the number of records to which it issues links", async () => {
    const body = { kinds: ["products", "sales"], format: "ndjson" };
    const created = await accessOf(createExport, { ...request(), method: "POST", body });
    expect(created.response.statusCode, created.response.body).toBe(200);
    const { id } = JSON.parse(created.response.body);
    expect(created.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 0, crb_id: crbId });
    const stored = (await readExport(table(), crbId, id, new Date())) ?? expect.fail();
    const one = { ...request(), resource: `${resource}/{export_id}`, path: { ...request().path, export_id: id } };
    expect((await accessOf(getExport, one)).entry).toMatchObject({ record_id: id, records: 0 });
    const parts = [part("products", 5), part("sales", 7)];
    await changeExport(table(), stored, { status: "ready", parts }, systemClock);
    const ready = await accessOf(getExport, one);
    expect(ready.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 12, crb_id: crbId });
    const deleted = await accessOf(deleteExport, { ...one, method: "DELETE" });
    expect(deleted.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 0 });
  });
});

test("a token exchange with a wrong secret is not logged", async () => {
  const body = { client_id: sp.id, client_secret: createSecret("sk", sp.id), grant_type: "client_credentials" };
  const { access } = await logOf(exchangeToken, requestEvent({ resource: "/auth/token", method: "POST", body }));
  expect(access).toEqual([]);
});

test("an exchange, and each use of its access token, is logged with the client id of the credential", async () => {
  const body = { client_id: sp.id, client_secret: sp.secret, grant_type: "client_credentials" };
  const exchange = await accessOf(exchangeToken, { resource: "/auth/token", method: "POST", body });
  expect(exchange.entry).toMatchObject({ operation_id: "exchangeToken", client_id: sp.id, status: 200, records: null });
  const { entry } = await accessOf(listCustomers, {
    resource: "/service-providers/{sp_id}/crbs/{crb_id}/customers",
    path: { sp_id: spId, crb_id: crbId },
    authorization: sp.token,
  });
  expect(entry).toMatchObject({ client_id: sp.id, owner: { kind: "serviceProvider", id: spId }, crb_id: crbId });
});

const marker = "leaked-value";
const functionFile = (handler: string) => new URL(`../../functions/${handler}.ts`, import.meta.url);
const routes = operationRegistry.flatMap((operation) =>
  operation.routes.map((route) => ({ ...route, operation })).filter(({ caller }) => caller !== "nobody"),
);

describe.each(routes)("$operationId", (route) => {
  const credential = () =>
    ({
      anyone: { authorization: undefined, client: sp.id },
      nobody: { authorization: undefined, client: "" },
      serviceProvider: { authorization: sp.token, client: sp.id },
      crb: { authorization: crb.secret, client: crb.id },
      invitedUser: { authorization: invited.secret, client: invitationId },
    })[route.caller];

  async function send(authorization: string | undefined, ids: Record<string, string> = {}) {
    const { handler } = (await import(functionFile(route.operation.handler).href)) as { handler: Handler };
    return logOf(handler, sample(route, authorization, ids));
  }

  test("an authorized request is logged once, without anything of its query, headers or body", async () => {
    const { authorization, client } = credential();
    const { lines, access } = await send(authorization);
    const hasCrb = route.caller !== "anyone" && (route.caller !== "serviceProvider" || route.path.includes("{crb_id}"));
    expect(access).toEqual([
      expect.objectContaining({
        operation_id: route.operationId,
        client_id: client,
        sp_id: spId,
        crb_id: hasCrb ? crbId : null,
        source: address,
      }),
    ]);
    const text = JSON.stringify(lines.filter(([message]) => message === "access" || message === "request"));
    expect(text).not.toContain(marker);
    for (const secret of [sp.secret, sp.token, crb.secret, invited.secret]) expect(text).not.toContain(secret.slice(3));
  });

  test.runIf(route.caller !== "anyone")("a denied request is not logged", async () => {
    const { access } = await send(createSecret("sk", randomUUID()));
    expect(access).toEqual([]);
  });

  const other = /\{(?!sp_id|crb_id)(\w+)\}/.exec(route.path)?.[1];
  test.runIf(other)("text in the place of an id is not logged", async () => {
    const { lines } = await send(credential().authorization, { [other ?? ""]: marker });
    expect(JSON.stringify(lines)).not.toContain(marker);
  });
});

/** The sample request of a route for the test's CRB, with a marker in its query, its headers and its body. */
function sample({ path, operationId, caller }: Route, authorization: string | undefined, ids: Record<string, string>) {
  const event = JSON.parse(readFileSync(new URL(`../../events/${operationId}.json`, import.meta.url), "utf8"));
  const known: Record<string, string> = { sp_id: spId, crb_id: crbId, kind: "customers", ...ids };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const body = {
    ...(caller === "anyone" ? { client_id: sp.id, client_secret: sp.secret } : {}),
    name: marker,
    [marker]: marker,
  };
  return {
    ...event,
    headers: {},
    multiValueHeaders: {
      "X-Forwarded-For": [marker],
      ...(event.body !== null && { "Content-Type": ["application/json"] }),
      ...(authorization !== undefined && { Authorization: [authorization] }),
    },
    multiValueQueryStringParameters: { phone: [marker], name: [marker], cursor: [marker], [marker]: [marker] },
    pathParameters: Object.fromEntries(names.map((name) => [name, known[name] ?? randomUUID()])),
    body: event.body === null ? null : JSON.stringify(body),
  } as APIGatewayProxyEvent;
}
