import { createServer, type Server } from "node:http";
import { listenNear } from "../listen.ts";
import type { DemoMetrc } from "./demoMetrc.ts";

/**
 * Starts a replacement for Metrc on 127.0.0.1. Its facility is brought up to date before each response.
 *
 * @param port preferred port; if it is taken, another port is used; 0 for any port
 */
export async function startMetrc(port: number, metrc: Pick<DemoMetrc, "facility" | "refresh">): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    metrc.refresh().then(
      () => {
        const { status, body } = metrc.facility.answer(pathname, searchParams, request.headers.authorization);
        const isText = typeof body === "string";
        response.writeHead(status, { "Content-Type": isText ? "text/html" : "application/json" });
        response.end(isText ? body : JSON.stringify(body));
      },
      () => response.writeHead(503).end(),
    );
  });
  await listenNear(server, port);
  return server;
}
