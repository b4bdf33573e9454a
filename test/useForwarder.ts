import { type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { text } from "node:stream/consumers";
import { useServer } from "./useServer.ts";

export interface Forwarding {
  /** Path prefix of the target server, such as `/v1`. */
  below?: string;
  /** Answers a request in place of the server; false if the request must be forwarded. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Changes the body of each response. */
  change?: (body: string) => string;
}

/**
 * A proxy between callers and a server.
 *
 * @param target the server's address, known at the first request
 */
export function useForwarder(target: () => string, { below = "", instead = () => false, change }: Forwarding) {
  const address = useServer((request, response) => {
    if (instead(request, response)) return;
    const { method, headers, url = "" } = request;
    if (!url.startsWith(`${below}/`)) return void response.writeHead(404).end();
    // A changed body must not be compressed.
    const sent = change ? { ...headers, "accept-encoding": "identity" } : headers;
    const onward = send(target() + url.slice(below.length), { method, headers: sent }, async (answer) => {
      const { "content-length": _, ...answered } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, change ? answered : answer.headers);
      if (change) response.end(change(await text(answer)));
      else answer.pipe(response);
    });
    request.pipe(onward);
  });
  return { url: () => address() + below };
}
