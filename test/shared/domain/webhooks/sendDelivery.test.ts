import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  type DeliveryOutcome,
  type DeliveryRequest,
  maxAttemptMs,
  sendDelivery,
} from "../../../../shared/domain/webhooks/sendDelivery.ts";

const [secret, before] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`) as [string, string];
const at = new Date("2026-03-14T16:20:00.700Z");
const event = (url: string): DeliveryRequest => ({
  url,
  secrets: [secret],
  id: "event-1",
  body: '{"type":"endpoint.test"}',
  at,
});

const opened: { close(): unknown }[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of opened.splice(0)) server.close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>, host = "127.0.0.1", port = 0) {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts a receiver on this machine, as on the local stage. */
async function startReceiver(listener: RequestListener): Promise<string> {
  vi.stubEnv("STAGE", "local");
  return `http://127.0.0.1:${await listen(createServer(listener))}/hook?a=1`;
}

/** Starts a receiver that does not speak HTTP. */
async function startTcpReceiver(speak: (socket: Socket) => void): Promise<string> {
  vi.stubEnv("STAGE", "local");
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    speak(socket);
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

/** Returns the next of these lists of addresses for each lookup, and the last one for all others. */
function createResolver(...lists: string[][]): LookupFunction & { lookups: number } {
  const resolve = Object.assign(
    ((_name, _options, done) => {
      const found = lists[Math.min(resolve.lookups++, lists.length - 1)] ?? [];
      const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      setImmediate(() => (found.length > 0 ? done(null, addresses) : done(new Error("ENOTFOUND"), [])));
    }) as LookupFunction,
    { lookups: 0 },
  );
  return resolve;
}

test("an event is sent unchanged by POST, signed with each secret as Standard Webhooks defines, with no other headers", async () => {
  const received: { method?: string; url?: string; headers: Record<string, string>; body: string }[] = [];
  const url = await startReceiver(async (request, response) => {
    const { method = "", url: path = "" } = request;
    received.push({ method, url: path, headers: request.headers as Record<string, string>, body: await text(request) });
    response.setHeader("set-cookie", "a=b").end("fine");
  });
  // Proxies that may be set for the whole process.
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:9");
  const sending = { ...event(url), secrets: [secret, before] };
  expect(await sendDelivery(sending)).toEqual({ statusCode: 200, error: null });
  expect(await sendDelivery(sending)).toEqual({ statusCode: 200, error: null });
  expect(received).toHaveLength(2);
  const [first] = received as [(typeof received)[number]];
  expect(received[1]).toEqual(first);
  expect(first).toMatchObject({ method: "POST", url: "/hook?a=1", body: sending.body });
  expect(Object.keys(first.headers).sort()).toEqual([
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
  ]);
  expect(first.headers).toMatchObject({
    "webhook-id": "event-1",
    "webhook-timestamp": "1773505200",
    connection: "close",
  });
  vi.setSystemTime(at);
  for (const one of [secret, before])
    expect(new Webhook(one).verify(first.body, first.headers)).toEqual({ type: "endpoint.test" });
  const another = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
  expect(() => new Webhook(another).verify(first.body, first.headers)).toThrow();
  vi.useRealTimers();
});

test.each([
  [200, null],
  [204, null],
  [299, null],
  [300, "redirect"],
  [301, "redirect"],
  [302, "redirect"],
  [304, "redirect"],
  [307, "redirect"],
  [308, "redirect"],
  [400, "status"],
  [404, "status"],
  [410, "status"],
  [500, "status"],
  [599, "status"],
])("status %i has the error %s, and no other URL is called", async (status, error) => {
  let calls = 0;
  const url = await startReceiver((_request, response) => {
    calls++;
    response.writeHead(status, { location: "/other" }).end();
  });
  expect(await sendDelivery(event(url))).toEqual({ statusCode: status, error });
  expect(calls).toBe(1);
});

const never = () => undefined;
const [late, accepted] = [
  { statusCode: null, error: "timeout" },
  { statusCode: 200, error: null },
] as const;
test.each<[string, () => Promise<string>, DeliveryOutcome]>([
  ["that accepts the connection and sends nothing", () => startTcpReceiver(never), late],
  ["whose headers never end", () => startTcpReceiver((socket) => socket.write("HTTP/1.1 200 OK\r\nA: b\r\n")), late],
  [
    "that has accepted the event and never ends",
    () => startReceiver((_, response) => void response.write("a")),
    accepted,
  ],
  [
    "that has failed and never ends",
    () => startReceiver((_, response) => void response.writeHead(500).write("a")),
    { statusCode: 500, error: "status" },
  ],
  [
    "that has accepted the event and responds byte by byte",
    () =>
      startReceiver((_request, response) => {
        const drip = setInterval(() => response.write("a"), 20);
        response.on("close", () => clearInterval(drip));
      }),
    accepted,
  ],
])("an attempt ends at its time limit with a receiver %s", async (_, start, outcome) => {
  const url = await start();
  expect(await sendDelivery(event(url), { within: 300 })).toEqual(outcome);
  expect(maxAttemptMs).toBe(10_000);
});

test("an attempt ends at its time limit if the name is not resolved", async () => {
  const sending = event("https://hook.example.com/");
  expect(await sendDelivery(sending, { within: 200, resolve: never })).toEqual({ statusCode: null, error: "timeout" });
});

test("of an endless response, 4 KB are read and the connection is closed", async () => {
  let [written, isClosed] = [0, false];
  const url = await startReceiver((_request, response) => {
    const more = () => {
      while (!isClosed && response.write("a".repeat(1_024))) written += 1_024;
    };
    response.on("drain", more).on("close", () => (isClosed = true));
    more();
  });
  expect(await sendDelivery(event(url))).toEqual({ statusCode: 200, error: null });
  await expect.poll(() => isClosed).toBe(true);
  // The sockets of both sides have buffers.
  expect(written).toBeLessThan(16 * 1_024 * 1_024);
});

test.each<[string, (socket: Socket) => void]>([
  ["closes the connection", (socket) => socket.destroy()],
  ["resets it", (socket) => socket.resetAndDestroy()],
  [
    "switches to another protocol",
    (socket) => socket.write("HTTP/1.1 101 Switching\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
  ],
  ["speaks another protocol", (socket) => socket.end("220 mail.example.com ESMTP\r\n")],
  ["sends too many headers", (socket) => socket.end(`HTTP/1.1 200 OK\r\nA: ${"b".repeat(100_000)}\r\n\r\n`)],
])("a receiver that %s counts as unreachable", async (_, speak) => {
  expect(await sendDelivery(event(await startTcpReceiver(speak)))).toEqual({ statusCode: null, error: "refused" });
});

test.each<[string, number, string | null, (socket: Socket) => void]>([
  ["accepted the event", 200, null, (socket) => socket.resetAndDestroy()],
  ["accepted the event", 200, null, (socket) => socket.end("5\r\nab")],
  ["accepted the event", 200, null, (socket) => socket.end("no number\r\n")],
  ["failed", 500, "status", (socket) => socket.resetAndDestroy()],
])("a receiver whose response breaks off has %s by its status %i", async (_, statusCode, error, breakOff) => {
  const url = await startTcpReceiver((socket) =>
    socket.write(`HTTP/1.1 ${statusCode} A\r\nTransfer-Encoding: chunked\r\n\r\n`, () =>
      setTimeout(breakOff, 50, socket),
    ),
  );
  expect(await sendDelivery(event(url))).toEqual({ statusCode, error });
});

test("a closed port counts as unreachable", async () => {
  const url = await startTcpReceiver(never);
  opened.pop()?.close();
  expect(await sendDelivery(event(url))).toEqual({ statusCode: null, error: "refused" });
});

const addressError = { statusCode: null, error: "address" };
test.each([
  ["127.0.0.1"],
  ["10.0.0.1"],
  ["169.254.169.254"],
  ["192.168.1.1"],
  ["100.64.0.1"],
  ["0.0.0.0"],
  ["[::1]"],
  ["[::ffff:127.0.0.1]"],
  ["[fd00:ec2::254]"],
  ["[64:ff9b::7f00:1]"],
  ["2130706433"],
  ["0x7f.1"],
])("a URL with the address %s connects to nothing", async (host) => {
  let connections = 0;
  const port = await listen(createTcpServer(() => connections++));
  for (const scheme of ["http", "https"]) {
    expect(await sendDelivery(event(`${scheme}://${host}:${port}/`))).toEqual(addressError);
  }
  expect(connections).toBe(0);
});

test.each([
  ["this machine", ["127.0.0.1"]],
  ["the instance metadata", ["169.254.169.254"]],
  ["a public address and a private one", ["203.0.114.1", "10.1.2.3"]],
  ["a private address in IPv6 notation", ["::ffff:10.1.2.3"]],
  ["nothing", []],
])("a name that resolves to %s connects to nothing, even on the local stage", async (_, addresses) => {
  vi.stubEnv("STAGE", "local");
  const sending = event("https://hook.example.com/");
  expect(await sendDelivery(sending, { resolve: createResolver(addresses) })).toEqual(addressError);
  expect(await sendDelivery({ ...sending, url: "http://localhost/" }, { resolve: createResolver(addresses) })).toEqual(
    addressError,
  );
});

test("a name that resolves to another address after the check connects only to the checked one", async () => {
  const connected: string[] = [];
  const on = (address: string) =>
    createServer((request, response) => {
      connected.push(address);
      request.resume();
      response.end();
    });
  const port = await listen(on("127.0.0.2"), "127.0.0.2");
  await listen(on("127.0.0.1"), "127.0.0.1", port);
  const resolve = createResolver(["127.0.0.2"], ["127.0.0.1"]);
  // Stands for a public address.
  const ways = { resolve, mayConnect: (_: URL, address: string) => address === "127.0.0.2" };
  const sending = event(`http://hook.example.com:${port}/`);
  expect(await sendDelivery(sending, ways)).toEqual({ statusCode: 200, error: null });
  expect([connected, resolve.lookups]).toEqual([["127.0.0.2"], 1]);
  expect(await sendDelivery(sending, ways)).toEqual(addressError);
  expect([connected, resolve.lookups]).toEqual([["127.0.0.2"], 2]);
});

let [key, cert] = ["", ""];
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "webhook-tls-"));
  const files = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  const names = "subjectAltName=DNS:hook.example.com";
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test".split(" ");
  const args = [...made, "-keyout", files.key, "-out", files.cert, "-addext", names];
  execFileSync("openssl", args, { stdio: "ignore" });
  [key, cert] = [readFileSync(files.key, "utf8"), readFileSync(files.cert, "utf8")];
});

test("the TLS certificate must be trusted and have the right name", async () => {
  const port = await listen(createTlsServer({ key, cert }, (_request, response) => void response.end()));
  const plain = await listen(createServer((_request, response) => void response.end()));
  const ways = { resolve: createResolver(["127.0.0.1"]), mayConnect: () => true };
  const to = (host: string, at = port) => sendDelivery(event(`https://${host}:${at}/`), ways);
  expect(await to("hook.example.com")).toEqual({ statusCode: null, error: "tls" });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);
  expect(await to("hook.example.com")).toEqual({ statusCode: 200, error: null });
  expect(await to("other.example.com")).toEqual({ statusCode: null, error: "tls" });
  expect(await to("127.0.0.1")).toEqual({ statusCode: null, error: "tls" });
  expect(await to("hook.example.com", plain)).toEqual({ statusCode: null, error: "tls" });
  setDefaultCACertificates(trusted);
});
