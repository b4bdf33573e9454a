import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listen } from "../listen.ts";
import { stagePageHeaders } from "../stagePage.ts";
import { type Received, receive } from "./received.ts";
import { pageOf } from "./receiverPage.ts";

/** The receiver drops the oldest webhooks above this number. */
const maxKept = 300;

/** A webhook server on this machine, for the demo's service provider and for `npm run webhooks`. */
export interface Receiver {
  server: Server;
  /** The URL of its page, `http://127.0.0.1:<port>/`. It accepts webhooks at every path. */
  page: string;
  /** Sets the endpoint's secret. Webhooks that arrive earlier wait until the secret is set. */
  isRegistered(secret: string): void;
}

/**
 * Starts a webhook receiver. It checks signatures, shows the webhooks on a page, newest first, and returns them as JSON at
 * /store. It answers 204, or 400 for an invalid signature.
 *
 * @param options.names of CRBs by id, for the page
 * @param options.onReceived called with each webhook, before its response
 * @throws StageError if the port cannot be used
 */
export async function startReceiver(
  port: number,
  options: { names?: ReadonlyMap<string, string>; onReceived?: (received: Received) => void } = {},
): Promise<Receiver> {
  const { names = new Map(), onReceived = () => undefined } = options;
  const { promise: secret, resolve: isRegistered } = Promise.withResolvers<string>();
  const shown: Shown = { kept: [], names, secret, onReceived };
  const server = createServer((request, response) => {
    serve(request, response, shown).catch(() => response.writeHead(413).end());
  });
  return { server, page: `http://127.0.0.1:${await listen(server, port)}/`, isRegistered };
}

interface Shown {
  kept: Received[];
  names: ReadonlyMap<string, string>;
  secret: Promise<string>;
  onReceived: (received: Received) => void;
}

async function serve(request: IncomingMessage, response: ServerResponse, { kept, names, secret, onReceived }: Shown) {
  if (request.method === "POST") {
    const received = await receive(request, await secret);
    kept.push(received);
    kept.splice(0, kept.length - maxKept);
    onReceived(received);
    return response.writeHead(received.fault === null ? 204 : 400).end();
  }
  switch (`${request.method} ${request.url}`) {
    case "GET /store":
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ webhooks: kept }));
    case "GET /":
      return response.writeHead(200, stagePageHeaders).end(pageOf(kept, names));
    default:
      return response.writeHead(404).end();
  }
}
