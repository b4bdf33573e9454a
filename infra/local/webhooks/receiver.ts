import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { StageError } from "../../cli/stageError.ts";
import { listen } from "../listen.ts";
import { stagePageHeaders } from "../stagePage.ts";
import { type Received, receive } from "./received.ts";
import { pageOf } from "./receiverPage.ts";

/** The receiver drops the oldest webhooks above this number. */
const maxKept = 300;

/** The receiver's path. The stage recognizes its own endpoint by this path. */
export const receiverPath = "/demo-events";

/** A service provider's webhook server, with only the features that the demo needs. */
export interface Receiver {
  server: Server;
  /** The endpoint's URL. */
  url: string;
  /** Sets the endpoint's secret. Webhooks that arrive earlier wait until the secret is set. */
  isRegistered(secret: string): void;
}

/**
 * Starts the webhook receiver of the local stage. It checks signatures, shows the webhooks on a page, newest first, and
 * returns them as JSON at /store.
 *
 * @param port preferred port; if it is taken, the receiver uses another port
 * @param names of CRBs by id, for the page
 */
export async function startReceiver(port: number, names: ReadonlyMap<string, string>): Promise<Receiver> {
  const kept: Received[] = [];
  const { promise: secret, resolve: isRegistered } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    serve(request, response, { kept, names, secret }).catch(() => response.writeHead(413).end());
  });
  const taken = await listen(server, port).catch((error) => {
    if (!(error instanceof StageError)) throw error;
    return listen(server, 0);
  });
  return { server, url: `http://127.0.0.1:${taken}${receiverPath}`, isRegistered };
}

interface Shown {
  kept: Received[];
  names: ReadonlyMap<string, string>;
  secret: Promise<string>;
}

async function serve(request: IncomingMessage, response: ServerResponse, { kept, names, secret }: Shown) {
  switch (`${request.method} ${request.url}`) {
    case `POST ${receiverPath}`: {
      const received = await receive(request, await secret);
      kept.push(received);
      kept.splice(0, kept.length - maxKept);
      return response.writeHead(received.fault === null ? 204 : 400).end();
    }
    case "GET /store":
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ webhooks: kept }));
    case "GET /":
      return response.writeHead(200, stagePageHeaders).end(pageOf(kept, names));
    default:
      return response.writeHead(404).end();
  }
}
