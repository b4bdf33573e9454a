import { createServer, type RequestListener, type Server } from "node:http";
import { listenNear, portOf } from "../listen.ts";
import type { Application } from "./createProvider.ts";

export interface LocalIdentityProvider {
  server: Server;
  issuer: string;
}

/**
 * Starts the identity provider of the demo's persons. The library and the keys are loaded at the first request, so the start of
 * the stage does not wait for them.
 *
 * @param port preferred port of 127.0.0.1; if it is taken, another one is used; 0 for any port
 * @param file keeps its keys and sessions for the next start
 */
export async function startIdentityProvider(
  port: number,
  file: string,
  application: Application,
): Promise<LocalIdentityProvider> {
  let loading: Promise<RequestListener> | undefined;
  const server = createServer((request, response) => {
    loading ??= import("./createProvider.ts").then(({ createProvider }) => createProvider(issuer, file, application));
    loading.then(
      (serve) => serve(request, response),
      (error: Error) => {
        loading = undefined;
        response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
      },
    );
  });
  await listenNear(server, port);
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  return { server, issuer };
}
