import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { expect } from "vitest";
import type { operations } from "../../clients/typescript/openApi.ts";
import { demoServiceProvider } from "../../infra/local/demoBusinesses.ts";
import type { AccessScope } from "../../shared/api/enumerations.ts";
import type { Operation, Route } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/auth/scopes.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import type { Table } from "../../shared/store/client.ts";
import { createCrb, putServiceProvider } from "../../shared/store/crbs.ts";
import { crbRecord } from "../crbRecord.ts";
import { requestEvent, type TestRequest, testContext } from "../requestEvent.ts";

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A request to an operation, which determines the path, and the method unless the request has another one. */
export type OperationRequest = Omit<TestRequest, "resource">;

export type OperationId = keyof operations;

/** All routes of all operations, as rows for `test.each`. */
export const routes: (Route & { operation: Operation })[] = operationRegistry.flatMap((operation) =>
  operation.routes.map((route) => ({ ...route, operation })),
);
const routesById = new Map(routes.map((route) => [route.operationId, route]));
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/**
 * The gateway's event of a request to an operation, and the path of the operation's handler below functions/.
 *
 * @param request.path may have further ids, which are not in the operation's path
 */
export function eventOf(operationId: OperationId, { path: ids = {}, ...request }: OperationRequest = {}) {
  const { operation, method, path: resource } = routesById.get(operationId) ?? expect.fail(`no ${operationId}`);
  const path = Object.fromEntries(namesIn(resource).flatMap((name) => (name in ids ? [[name, ids[name]]] : [])));
  return { handler: operation.handler, event: requestEvent({ resource, method, ...request, path } as TestRequest) };
}

/** The sample event of a route with a credential, with unknown ids in place of absent ones. */
export function sampleEvent(
  { operationId, path }: Route,
  authorization: string | undefined,
  ids: Readonly<Record<string, string>>,
): APIGatewayProxyEvent {
  const sample = JSON.parse(readFileSync(new URL(`../../events/${operationId}.json`, import.meta.url), "utf8"));
  return {
    ...sample,
    headers: {},
    multiValueHeaders: {
      ...(sample.body !== null && { "Content-Type": ["application/json"] }),
      ...(authorization !== undefined && { Authorization: [authorization] }),
    },
    pathParameters: Object.fromEntries(namesIn(path).map((name) => [name, ids[name] ?? randomUUID()])),
  };
}

const modules = new Map<string, Promise<{ handler: Handler }>>();

/** Loads a handler at its first use, so that it finds the keys and the environment of the test. */
export async function loadHandler(path: string): Promise<Handler> {
  const loading = modules.get(path) ?? import(new URL(`../../functions/${path}.ts`, import.meta.url).href);
  modules.set(path, loading);
  return (await loading).handler;
}

/** Calls the handler of an operation. */
export async function callHandler(operationId: OperationId, request: OperationRequest = {}) {
  const { handler, event } = eventOf(operationId, request);
  const { statusCode: status, headers, body: text } = await (await loadHandler(handler))(event, testContext);
  return { status, headers, text, json: JSON.parse(text || "null") };
}

/** A CRB with its own credential, and calls of operations in its path family. */
export async function givenCrb(table: Table, timezone: ReturnType<typeof crbRecord>["timezone"] = "America/Denver") {
  const crbId = randomUUID();
  const spId = randomUUID();
  await createCrb(table, { record: { ...crbRecord(crbId), timezone }, serviceProviderId: spId, connection: null });
  const owner = { kind: "crb" as const, id: crbId };
  const { secret } = await issueCredential(table, { owner, spId, scopes: ["crb:read", "point-of-sale:read"] });
  const call = (operationId: OperationId, request: OperationRequest = {}) =>
    callHandler(operationId, { authorization: secret, ...request, path: { crb_id: crbId, ...request.path } });
  return { crbId, call };
}

/** A service provider with one CRB and its own credential, and calls of operations in its path family. */
export async function givenServiceProvider(
  table: Table,
  scopes: readonly AccessScope[] = serviceProviderScopes,
  record: Partial<ReturnType<typeof crbRecord>> = {},
) {
  const crbId = randomUUID();
  const spId = randomUUID();
  await putServiceProvider(table, { ...demoServiceProvider, id: spId });
  await createCrb(table, { record: { ...crbRecord(crbId), ...record }, serviceProviderId: spId, connection: null });
  const owner = { kind: "serviceProvider" as const, id: spId };
  const { secret, client_id: clientId } = await issueCredential(table, { owner, spId, scopes });
  /** A request with the values that all requests of this service provider share. */
  const own = <Request extends Partial<TestRequest>>(request: Request) => ({
    authorization: secret,
    ...request,
    path: { sp_id: spId, crb_id: crbId, ...request.path },
  });
  return {
    crbId,
    spId,
    clientId,
    secret,
    owner,
    own,
    call: (operationId: OperationId, request: OperationRequest = {}) => callHandler(operationId, own(request)),
    /** Issues a credential to the CRB. */
    ofCrb: (held: readonly AccessScope[] = crbScopes) =>
      issueCredential(table, { owner: { kind: "crb", id: crbId }, spId, scopes: held }),
    /** Issues another credential to the service provider. */
    another: (
      held: readonly AccessScope[] = serviceProviderScopes,
      more: Partial<Parameters<typeof issueCredential>[1]> = {},
    ) => issueCredential(table, { owner, spId, scopes: held, ...more }),
    /** Issues a token of the service provider's credential, or of another one. */
    tokenOf: async (granted: readonly AccessScope[] = scopes, of = clientId): Promise<string> =>
      (await issueToken(table, { clientId: of, owner, spId, scopes }, granted)).access_token,
  };
}
