import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { fetchGuardedJson } from "../../../../shared/platform/http/fetchGuardedJson.ts";

const limits = { withinMs: 500, maxBytes: 1_000 };
const opened: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<URL> {
  vi.stubEnv("STAGE", "local");
  const server = createServer(listener);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test("a document is returned, without cookies or credentials in the request", async () => {
  let headers = {};
  const url = await serve((request, response) => {
    headers = request.headers;
    response.end('{"keys":[]}');
  });
  expect(await fetchGuardedJson(url, limits)).toEqual({ keys: [] });
  expect(Object.keys(headers).sort()).toEqual(["accept", "connection", "host", "user-agent"]);
});

test.each<[string, RequestListener, RegExp]>([
  ["a redirect", (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(), /status 302/],
  ["another status", (_, response) => response.writeHead(404).end("{}"), /status 404/],
  ["a body above the maximum", (_, response) => response.end(`"${"x".repeat(1_000)}"`), /more than 1000 bytes/],
  ["a body that never ends", (_, response) => void response.write("{"), /aborted|timeout/i],
  ["no answer", () => undefined, /aborted|timeout/i],
  ["no JSON", (_, response) => response.end("secret text"), /^no JSON$/],
])("%s is an error", async (_, listener, message) => {
  await expect(fetchGuardedJson(await serve(listener), limits)).rejects.toThrow(message);
});

test.each(["https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "http://169.254.169.254/latest"])(
  "no connection goes to %s",
  async (address) => {
    await expect(fetchGuardedJson(new URL(address), limits)).rejects.toThrow("");
    const mayConnect = vi.fn(() => false);
    await expect(fetchGuardedJson(new URL(address), limits, { mayConnect })).rejects.toThrow();
    expect(mayConnect).toHaveBeenCalledOnce();
  },
);

test("no connection goes to a name that resolves to a private address", async () => {
  const resolve = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: "10.0.0.1", family: 4 }])) as never;
  await expect(fetchGuardedJson(new URL("https://keys.example.com/"), limits, { resolve })).rejects.toMatchObject({
    name: "AddressError",
  });
});
