import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { demoServiceProvider } from "../../infra/local/demoBusinesses.ts";
import type { AccessScope } from "../../shared/api/enumerations.ts";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../shared/auth/scopes.ts";
import type { Table } from "../../shared/store/client.ts";
import { createCrb, putServiceProvider } from "../../shared/store/crbs.ts";
import { crbRecord } from "../crbRecord.ts";
import { requestEvent, type TestRequest, testContext } from "../requestEvent.ts";

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A CRB with its own credential, and calls of handlers in its path family. */
export async function givenCrb(table: Table, timezone: ReturnType<typeof crbRecord>["timezone"] = "America/Denver") {
  const crbId = randomUUID();
  const spId = randomUUID();
  await createCrb(table, { record: { ...crbRecord(crbId), timezone }, serviceProviderId: spId, connection: null });
  const { secret } = await issueCredential(table, {
    owner: { kind: "crb", id: crbId },
    spId,
    scopes: ["crb:read", "point-of-sale:read"],
  });
  const call = async (handler: Handler, request: TestRequest) => {
    const path = { crb_id: crbId, ...request.path };
    const answer = await handler(requestEvent({ authorization: secret, ...request, path }), testContext);
    return { status: answer.statusCode, json: JSON.parse(answer.body) };
  };
  return { crbId, call };
}

/** A service provider with one CRB and its own credential, and calls of handlers in its path family. */
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
  const { secret, client_id } = await issueCredential(table, { owner, spId, scopes });
  /** A request with the values that all requests of this service provider share. */
  const own = (request: TestRequest): TestRequest => ({
    authorization: secret,
    ...request,
    path: { sp_id: spId, ...request.path },
  });
  const call = async (handler: Handler, request: TestRequest) => {
    const answer = await handler(requestEvent(own(request)), testContext);
    const { statusCode: status, headers, body: text } = answer;
    return { status, headers, text, json: JSON.parse(text) };
  };
  return { crbId, spId, clientId: client_id, secret, own, call };
}
