import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { escapeHtml } from "../../../shared/text/escapeHtml.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import { listen } from "../listen.ts";
import { stagePage, stagePageHeaders } from "../stagePage.ts";
import { type Received, receive } from "./received.ts";

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

/** Escapes text for the page. Invisible characters, such as direction marks, become escape sequences. */
const plain = (text: string): string => escapeHtml(withEscapes(text));

/** The page of received webhooks, newest first. Neighboring ones about changed records are one group, since they are many. */
function pageOf(received: readonly Received[], names: ReadonlyMap<string, string>): string {
  const intro = "The events that the demo's service provider received, newest first. Reload the page after an event.";
  const groups: Received[][] = [];
  for (const one of received.toReversed()) {
    const last = groups.at(-1)?.at(-1);
    if (last && isOfChanges(last) && isOfChanges(one)) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  const shown = groups.map((group) => {
    const articles = group.map((one) => articleOf(one, names)).join("\n  ");
    const [{ type = "" } = {}] = group;
    return group.length === 1
      ? articles
      : `<details><summary>${plain(type)}, ${group.length} times</summary>\n  ${articles}</details>`;
  });
  const title = "Webhooks of the local stage";
  return stagePage(title, [`<p>${intro}</p>`, ...(shown.length > 0 ? shown : ["<p>None yet.</p>"])]);
}

const isOfChanges = ({ type, fault }: Received): boolean => type === "records.changed" && fault === null;

function articleOf({ at, type, date, crbId, body, fault, id }: Received, names: ReadonlyMap<string, string>): string {
  const business = crbId === null ? "not about one business" : (names.get(crbId) ?? crbId);
  const signature =
    fault === null
      ? '<span class="good">✓ signature is valid</span>'
      : `<span class="bad">✗ signature is invalid: ${plain(fault)}</span>`;
  return (
    `<article><h2><span>${plain(type)}</span>${signature}</h2>` +
    `<p>${plain(business)}, ${plain(date)}</p><p>received ${plain(at)} as <code>${plain(id)}</code></p>` +
    `<pre>${linesOf(body).map(plain).join("\n")}</pre></article>`
  );
}

/** The lines of a body: formatted if it is JSON, otherwise unchanged. */
function linesOf(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
