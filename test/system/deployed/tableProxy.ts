import { Agent, createServer, request as forward, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { AccessDenied, type Principals } from "./principals.ts";
import { tableAccesses } from "./tableAccess.ts";
import { account, region } from "./template.ts";

const tables = `arn:aws:dynamodb:${region}:${account}:table/`;

/**
 * A proxy for a DynamoDB engine. It passes requests that the signer's policy permits, and rejects others with
 * AccessDeniedException.
 */
export function createTableProxy(principals: Principals, engine: string): Server {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    try {
      const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
      principals.authorize(
        principals.signerOf(request),
        tableAccesses(operation, JSON.parse(body.toString("utf8")), tables),
      );
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      response
        .writeHead(400, { "Content-Type": "application/x-amz-json-1.0" })
        .end(JSON.stringify({ __type: "com.amazon.coral.service#AccessDeniedException", Message: error.message }));
      return;
    }
    const { method, headers } = request;
    const onward = forward(engine, { agent, method, headers: { ...headers, host: new URL(engine).host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  server.on("close", () => agent.destroy());
  return server;
}
