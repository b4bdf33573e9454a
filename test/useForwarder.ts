import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

export interface Forwarding {
  /** Path prefix of the target server, such as `/v1`. */
  below?: string;
  /** Answers a request in place of the server; false if the request must be forwarded. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/**
 * A proxy between callers and a server.
 *
 * @param target the server's address, known at the first request
 */
export function useForwarder(target: () => string, { below = "", instead = () => false }: Forwarding) {
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (instead(request, response)) return;
      const { method, headers, url = "" } = request;
      if (!url.startsWith(`${below}/`)) return void response.writeHead(404).end();
      const onward = send(target() + url.slice(below.length), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());

  return { url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}` };
}
