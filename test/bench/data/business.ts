import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { Table } from "../../../shared/store/client.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import type { Fence } from "../../../shared/store/orderedList/fence.ts";
import { crbRecord } from "../../crbRecord.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";

/** A CRB with a POS, and the service provider that may read it. */
export interface Business {
  crbId: string;
  spId: string;
  clientId: string;
  secret: string;
  connection: Connection;
}

export async function createBusiness(table: Table): Promise<Business> {
  const crbId = randomUUID();
  const spId = randomUUID();
  const record = crbRecord(crbId);
  const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-01-01T00:00:00.000Z" };
  await createCrb(table, { record, serviceProviderId: spId, connection });
  const { client_id: clientId, secret } = await issueCredential(table, {
    owner: { kind: "serviceProvider", id: spId },
    spId,
    scopes: serviceProviderScopes,
  });
  const { state, timezone } = record;
  return {
    crbId,
    spId,
    clientId,
    secret,
    connection: { ...connection, crbId, businessType: "retail", state, timezone, credentials: {} },
  };
}

/** A lease that no other worker takes over. */
export async function standingFence(table: Table, crbId: string, kind: RecordKind): Promise<Fence> {
  const key = replicationKey(crbId, kind);
  await table.put({ ...key, fence: 1 });
  return { key, number: 1 };
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Calls a function as the gateway does, for the service provider of a business.
 * @param resource path template below the CRB's own path
 * @returns the body of the response
 * @throws if the status is not 200
 */
export function callOf(
  handler: Handler,
  { crbId, spId, secret }: Business,
  resource: string,
  options: { ids?: Record<string, string>; query?: Record<string, string | number> } = {},
): () => Promise<string> {
  const event = requestEvent({
    resource: `/service-providers/{sp_id}/crbs/{crb_id}${resource}`,
    path: { sp_id: spId, crb_id: crbId, ...options.ids },
    query: Object.fromEntries(Object.entries(options.query ?? {}).map(([name, value]) => [name, [String(value)]])),
    authorization: secret,
  });
  return async () => {
    const { statusCode, body } = await handler(event, testContext);
    if (statusCode !== 200) throw new Error(`${resource} answered ${statusCode}: ${body}`);
    return body;
  };
}
