import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { json } from "node:stream/consumers";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { recordCredentialUse } from "../../shared/auth/credentialUse.ts";
import { parseSecret } from "../../shared/auth/secrets.ts";
import { serviceTable } from "../../shared/store/client.ts";

// Runs one call in a process that kills itself as soon as its n-th write is confirmed, to any store.

/** The input of the process on stdin. */
export interface CrashingCall {
  /** Path below functions/ without the extension. */
  handler: string;
  event: APIGatewayProxyEvent;
  /** The number of writes until it is killed; 0 for never. */
  writes: number;
}

const writing = /\.(Put|Update|Delete|TransactWrite|BatchWrite)\w*Item|\.SendMessage/;

/** DynamoDB and SQS name the operation in a header; for S3, the method decides. */
function isWrite(request: ClientRequest): boolean {
  const target = request.getHeader("x-amz-target");
  return target === undefined ? request.method !== "GET" : writing.test(String(target));
}

const { handler, event, writes } = (await json(process.stdin)) as CrashingCall;
// This write comes before the handler runs, so that it does not count.
const secret = parseSecret(event.multiValueHeaders.Authorization?.[0] ?? "");
if (secret) await recordCredentialUse(serviceTable(), secret.clientId);
let done = 0;
subscribe("http.client.response.finish", (message) => {
  const { request } = message as { request: ClientRequest };
  if (isWrite(request) && ++done === writes) process.kill(process.pid, "SIGKILL");
});
const called = (await import(`../../functions/${handler}.ts`)) as {
  handler(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult>;
};
const answer = await called.handler(event, { functionName: "mortal" } as Context);
process.stdout.write(JSON.stringify({ status: answer.statusCode, writes: done }));
