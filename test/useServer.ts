import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { listen } from "../infra/local/listen.ts";

/**
 * Serves on this machine during the tests of a file.
 *
 * @returns the server's address, from `beforeAll` on
 */
export function useServer(listener: RequestListener | Server): () => string {
  const server = typeof listener === "function" ? createServer(listener) : listener;
  let url = "";
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listen(server, 0)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => url;
}
