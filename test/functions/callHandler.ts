import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { issueCredential } from "../../shared/access/credentials.ts";
import type { Table } from "../../shared/table/client.ts";
import { createCrb } from "../../shared/table/crbs.ts";
import { crbRecord } from "../crbRecord.ts";
import { requestEvent, type TestRequest, testContext } from "../requestEvent.ts";

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** A CRB with a credential of its own, and calls of handlers by its door. */
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
