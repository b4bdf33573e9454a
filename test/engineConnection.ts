import { connect, type Socket } from "node:net";

/** A response of a local engine, as far as the service looks at it. */
export interface EngineResponse {
  statusCode: number;
  headers: { date: string | undefined };
  text: string;
}

/** A connection without a request is closed after this time. */
const idleMs = 1_000;

/** The connections without a request, by `host:port`. */
const idle = new Map<string, Set<EngineConnection>>();

/**
 * Posts a request to a local engine. A request by Node's HTTP client takes three times the processor time, and the calls of
 * the engine are most of the work of the tests.
 *
 * @param place `host:port`
 * @param headers lines of headers, each with its line break
 * @throws Error with the code of the failed connection
 */
export function postToEngine(place: string, headers: string, body: string): Promise<EngineResponse> {
  const [free] = idle.get(place) ?? [];
  return (free ?? new EngineConnection(place)).send(headers, body);
}

/** One connection, with at most one request at a time. */
class EngineConnection {
  readonly #socket: Socket;
  readonly #place: string;
  readonly #idle: Set<EngineConnection>;
  #received: Buffer = Buffer.alloc(0);
  #request: PromiseWithResolvers<EngineResponse> | undefined;

  constructor(place: string) {
    const { hostname, port } = new URL(`http://${place}`);
    this.#place = place;
    this.#idle = idle.get(place) ?? new Set();
    idle.set(place, this.#idle);
    this.#socket = connect(Number(port), hostname).setNoDelay();
    this.#socket.setTimeout(idleMs, () => this.#request ?? this.#close());
    this.#socket.on("data", (part) => this.#receive(part));
    this.#socket.once("error", (error) => this.#request?.reject(error));
    this.#socket.once("end", () => this.#close());
    this.#socket.once("close", () => {
      this.#idle.delete(this);
      this.#request?.reject(Object.assign(new Error("The engine closed the connection."), { code: "ECONNRESET" }));
    });
  }

  send(headers: string, body: string): Promise<EngineResponse> {
    this.#idle.delete(this);
    this.#request = Promise.withResolvers<EngineResponse>();
    const length = Buffer.byteLength(body);
    this.#socket.ref();
    this.#socket.write(`POST / HTTP/1.1\r\nhost: ${this.#place}\r\n${headers}content-length: ${length}\r\n\r\n${body}`);
    return this.#request.promise;
  }

  /** No further request gets the connection. The socket reports its end only later. */
  #close(): void {
    this.#idle.delete(this);
    this.#socket.destroy();
  }

  #receive(part: Buffer): void {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, part]) : part;
    const response = parseResponse(this.#received);
    const request = this.#request;
    if (!response || !request) return;
    this.#received = Buffer.alloc(0);
    this.#request = undefined;
    this.#socket.unref();
    this.#idle.add(this);
    request.resolve(response);
  }
}

/** Parses a response; undefined if its end is missing. */
function parseResponse(bytes: Buffer): EngineResponse | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1];
  const length = header("content-length");
  const body = bytes.subarray(end + 4);
  const whole = length === undefined ? joinChunks(body) : body.length < Number(length) ? undefined : body;
  return (
    whole && { statusCode: Number(head.slice(9, 12)), headers: { date: header("date") }, text: whole.toString("utf8") }
  );
}

/** The content of a body that DynamoDB Local sends in chunks; undefined if the last chunk is missing. */
function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    const start = lineEnd + 2;
    at = start + size + 2;
    if (body.length < at) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(start, start + size));
  }
}
