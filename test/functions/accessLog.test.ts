import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Route } from "../../shared/api/operation.ts";
import { newInvitationToken } from "../../shared/auth/invitationTokens.ts";
import { createSecret } from "../../shared/auth/secrets.ts";
import { changeExport, readExport } from "../../shared/domain/exports/storedExport.ts";
import { log } from "../../shared/platform/aws/log.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { systemClock } from "../../shared/time/clock.ts";
import { testContext } from "../requestEvent.ts";
import { newWriter, recordId, recordToWrite, setFence } from "../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../testServiceKey.ts";
import { useQueues } from "../useQueues.ts";
import { useTestBucket } from "../useTestBucket.ts";
import { useTestTable } from "../useTestTable.ts";
import {
  eventOf,
  givenServiceProvider,
  loadHandler,
  type OperationId,
  type OperationRequest,
  routes,
  sampleEvent,
} from "./callHandler.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
useQueues();
let provider: Awaited<ReturnType<typeof givenServiceProvider>>;
const invitationId = randomUUID();
const secrets = { token: "", crb: "", invited: "" };
let crbClientId = "";
const address = "192.0.2.7";

beforeAll(async () => {
  vi.stubEnv("ETAG_SETTLE_SECONDS", "0");
  provider = await givenServiceProvider(table());
  const { spId, crbId } = provider;
  secrets.token = await provider.tokenOf();
  ({ client_id: crbClientId, secret: secrets.crb } = await provider.ofCrb());
  const invitation = await newInvitationToken(table(), { invitationId, crbId, spId }, new Date());
  await table().transact([invitation.write]);
  secrets.invited = invitation.token;
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table(), fence.key, 1);
  const writer = newWriter(table(), recordList(crbId, "customer"), { fence });
  await writer.write([recordToWrite(1, 0), recordToWrite(2, 0), recordToWrite(3, 0)]);
});
afterEach(() => void vi.restoreAllMocks());

/** The log lines of a request from `address`, and its response. */
async function logOf(handler: string, event: APIGatewayProxyEvent) {
  const logged = (["debug", "info", "warn", "error"] as const).map((level) => vi.spyOn(log, level));
  event.requestContext = { ...event.requestContext, identity: { sourceIp: address } as never };
  event.requestContext.extendedRequestId = "gateway-request";
  const response = await (await loadHandler(handler))(event, testContext);
  const lines = logged.flatMap(({ mock }) => mock.calls) as unknown as [message: string, line: object][];
  vi.restoreAllMocks();
  return { response, lines, access: lines.filter(([message]) => message === "access").map(([, line]) => line) };
}

/** The entry of a call, by default with the credential of the CRB. */
async function accessOf(operationId: OperationId, request: OperationRequest = {}) {
  const { handler, event } = eventOf(operationId, provider.own({ authorization: secrets.crb, ...request }));
  const { response, access } = await logOf(handler, event);
  expect(access).toHaveLength(1);
  return { response, entry: access[0] };
}

test("a read of a record is logged with client, owner, CRB, operation, record, count, status, request and source", async () => {
  const { entry } = await accessOf("getCustomer", {
    path: { crb_id: provider.crbId.toUpperCase(), customer_id: recordId(1).toUpperCase() },
  });
  expect(entry).toEqual({
    request_id: "test-request",
    extended_request_id: "gateway-request",
    operation_id: "getCustomer",
    status: 200,
    duration_ms: expect.any(Number),
    client_id: crbClientId,
    sub: null,
    owner: { kind: "crb", id: provider.crbId },
    sp_id: provider.spId,
    crb_id: provider.crbId,
    crb_ids: null,
    record_id: recordId(1),
    kinds: null,
    records: 1,
    source: address,
  });
});

describe("the logged number of records", () => {
  test("is the size of a page of a list", async () => {
    const { entry } = await accessOf("listCustomers", { query: { limit: 2 } });
    expect(entry).toMatchObject({ status: 200, records: 2, record_id: null });
  });

  test("is the size of a page of changes, and the log names their kind", async () => {
    const { entry } = await accessOf("listChanges", { path: { kind: "customers" } });
    expect(entry).toMatchObject({ records: 3, kinds: ["customers"], record_id: null });
  });

  test("is the size of a page of events", async () => {
    const { entry, response } = await accessOf("listEvents", { authorization: provider.secret });
    const records = JSON.parse(response.body).data.length;
    expect(entry).toMatchObject({ records, crb_id: null, client_id: provider.clientId });
  });

  test("is 1 for the record of a CRB", async () => {
    expect((await accessOf("getCrb")).entry).toMatchObject({ records: 1, record_id: null });
  });

  test("is 0 if the caller has the current version of the page", async () => {
    const { response } = await accessOf("listCustomers");
    const headers = { "If-None-Match": String(response.headers?.ETag) };
    const unchanged = await accessOf("listCustomers", { headers });
    expect(unchanged.entry).toMatchObject({ status: 304, records: 0 });
  });

  test("of HEAD is that of GET, since the response's headers reveal the page", async () => {
    const head = await accessOf("listCustomers", { method: "HEAD" });
    expect(head.entry).toMatchObject({ status: 200, records: 3 });
    const across = { authorization: provider.secret, method: "HEAD" };
    const { entry } = await accessOf("listServiceProviderCrbs", across);
    expect(entry).toMatchObject({ records: 1, crb_ids: [provider.crbId] });
  });

  test("is null for a request that fails after access was allowed", async () => {
    const invalid = await accessOf("listCustomers", { query: { limit: 0 } });
    expect(invalid.entry).toMatchObject({ status: 422, records: null });
    const unknown = randomUUID();
    const missing = await accessOf("getCustomer", { path: { customer_id: unknown } });
    expect(missing.entry).toMatchObject({ status: 404, records: null, record_id: unknown });
  });
});

describe("the businesses of a response across businesses", () => {
  test.each<[string, OperationId]>([
    ["list of CRBs", "listServiceProviderCrbs"],
    ["list of credentials", "listCredentials"],
    ["page of events", "listEvents"],
  ])("are in the line of a %s", async (_, operationId) => {
    const { entry, response } = await accessOf(operationId, { authorization: provider.secret });
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body).data.length).toBeGreaterThan(0);
    expect(entry).toMatchObject({ crb_id: null, crb_ids: [provider.crbId] });
  });

  test("are null if the request fails, or names the business in its path", async () => {
    const invalid = { authorization: provider.secret, query: { limit: 0 } };
    const { entry } = await accessOf("listServiceProviderCrbs", invalid);
    expect(entry).toMatchObject({ status: 422, crb_id: null, crb_ids: null });
    expect((await accessOf("listCustomers")).entry).toMatchObject({ crb_id: provider.crbId, crb_ids: null });
  });
});

describe("the line of an export", () => {
  const part = (kind: "products" | "sales", records: number) => ({
    ...{ kind, part: 1, records, bytes: 10, sha256: "0".repeat(64), storage_key: `exports/x/${kind}-1` },
  });

  test("has its id and kinds from its creation on, and the number of records to which it issues links", async () => {
    const { crbId: crb_id, secret: authorization } = provider;
    const body = { kinds: ["products", "sales"], format: "ndjson" };
    const created = await accessOf("createExport", { authorization, body });
    expect(created.response.statusCode, created.response.body).toBe(200);
    const { id } = JSON.parse(created.response.body);
    expect(created.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 0, crb_id });
    const stored = (await readExport(table(), crb_id, id, new Date())) ?? expect.fail();
    const one = { authorization, path: { export_id: id } };
    expect((await accessOf("getExport", one)).entry).toMatchObject({ record_id: id, records: 0 });
    const parts = [part("products", 5), part("sales", 7)];
    await changeExport(table(), stored, { status: "ready", parts }, systemClock);
    const ready = await accessOf("getExport", one);
    expect(ready.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 12, crb_id });
    const deleted = await accessOf("deleteExport", one);
    expect(deleted.entry).toMatchObject({ record_id: id, kinds: body.kinds, records: 0 });
  });
});

const exchangeBody = (client_secret: string) => ({
  ...{ client_id: provider.clientId, client_secret, grant_type: "client_credentials" },
});

test("a token exchange with a wrong secret is not logged", async () => {
  const body = exchangeBody(createSecret("sk", provider.clientId));
  const { handler, event } = eventOf("exchangeToken", { body });
  expect((await logOf(handler, event)).access).toEqual([]);
});

test("an exchange, and each use of its access token, is logged with the client id of the credential", async () => {
  const { spId, crbId: crb_id, clientId: client_id } = provider;
  const exchange = await accessOf("exchangeToken", { body: exchangeBody(provider.secret) });
  expect(exchange.entry).toMatchObject({ operation_id: "exchangeToken", client_id, status: 200, records: null });
  const { entry } = await accessOf("listCrbCustomers", { authorization: secrets.token });
  expect(entry).toMatchObject({ client_id, owner: { kind: "serviceProvider", id: spId }, crb_id });
});

const marker = "leaked-value";

describe.each(routes.filter(({ caller }) => caller !== "nobody"))("$operationId", (route) => {
  const credential = () =>
    ({
      anyone: { authorization: undefined, client: provider.clientId },
      nobody: { authorization: undefined, client: "" },
      serviceProvider: { authorization: secrets.token, client: provider.clientId },
      crb: { authorization: secrets.crb, client: crbClientId },
      invitedUser: { authorization: secrets.invited, client: invitationId },
    })[route.caller];

  const send = (authorization: string | undefined, ids: Record<string, string> = {}) =>
    logOf(route.operation.handler, sample(route, authorization, ids));

  test("an authorized request is logged once, without anything of its query, headers or body", async () => {
    const { authorization, client } = credential();
    const { lines, access } = await send(authorization);
    const hasCrb = route.caller !== "anyone" && (route.caller !== "serviceProvider" || route.path.includes("{crb_id}"));
    expect(access).toEqual([
      expect.objectContaining({
        operation_id: route.operationId,
        client_id: client,
        sp_id: provider.spId,
        crb_id: hasCrb ? provider.crbId : null,
        source: address,
      }),
    ]);
    const text = JSON.stringify(lines.filter(([message]) => message === "access" || message === "request"));
    expect(text).not.toContain(marker);
    for (const secret of [provider.secret, ...Object.values(secrets)]) expect(text).not.toContain(secret.slice(3));
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
function sample(route: Route, authorization: string | undefined, ids: Record<string, string>): APIGatewayProxyEvent {
  const known = { sp_id: provider.spId, crb_id: provider.crbId, kind: "customers", ...ids };
  const event = sampleEvent(route, authorization, known);
  const own = route.caller === "anyone" ? { client_id: provider.clientId, client_secret: provider.secret } : {};
  return {
    ...event,
    multiValueHeaders: { "X-Forwarded-For": [marker], ...event.multiValueHeaders },
    multiValueQueryStringParameters: { phone: [marker], name: [marker], cursor: [marker], [marker]: [marker] },
    body: event.body === null ? null : JSON.stringify({ ...own, name: marker, [marker]: marker }),
  };
}
