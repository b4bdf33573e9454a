import type { Server } from "node:http";
import { StageError } from "../cli/stageError.ts";

/**
 * Milliseconds for which an idle connection stays open. A client that reuses a connection while the server closes it gets
 * ECONNRESET. With Node's default of five seconds, that can happen to clients that pause between requests.
 */
const maxIdleMs = 60_000;

/**
 * Starts to listen on this machine.
 *
 * @param port of 127.0.0.1; 0 for any free port
 * @throws StageError if the server cannot listen
 */
export async function listen(server: Server, port: number): Promise<number> {
  server.keepAliveTimeout = maxIdleMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: "is in use: stop the program that uses it, or choose another port with --port",
        EACCES: "is not permitted: choose a port above 1023 with --port",
      };
      reject(new StageError(`Port ${port} ${reasons[error.code ?? ""] ?? `cannot be used (${error.code})`}.`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  return portOf(server);
}

/** Starts to listen on a port of 127.0.0.1, or on any other port if this one cannot be used. */
export const listenNear = (server: Server, port: number): Promise<number> =>
  listen(server, port).catch(() => listen(server, 0));

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Closes a server. Calls in progress get two seconds to finish. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const forced = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearTimeout(forced);
}
