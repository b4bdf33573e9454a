import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to a fake POS. */
export interface FakeRequest {
  method: string;
  /** decoded */
  path: string;
  rawPath: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
  /** counts from 1 */
  number: number;
}

/** The response of a fake POS. A body that is not text is sent as JSON, or in the POS's own format. */
export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A fault of a request, in place of the response or on its way. */
export type Fault =
  | { kind: "answer"; answer: FakeAnswer }
  /** the connection closes without a response */
  | { kind: "cut" }
  /** the connection closes in the middle of the response */
  | { kind: "cutHalfway" }
  /** a complete response with truncated JSON */
  | { kind: "truncated" }
  | { kind: "slow"; milliseconds: number };

const isFor = (path: string | RegExp, request: FakeRequest) =>
  typeof path === "string" ? request.path === path : path.test(request.path);

/** A POS on this machine, in this process. `answer` creates its responses, and `faults` replaces or damages them. */
export class FakeServer {
  /** the fault of a request; none by default */
  faults: (request: FakeRequest) => Fault | undefined = () => undefined;
  /** called before each response is created, such as to change records between two pages */
  beforeAnswer: (request: FakeRequest) => void = () => undefined;
  /** changes the body of a successful response before it is sent */
  rewrite: (body: unknown, request: FakeRequest) => unknown = (body) => body;
  /** converts the body of a successful response to text */
  write: (body: unknown) => string = (body) => JSON.stringify(body);
  /** the POS's clock, which may differ from the service's */
  now: () => Date = () => new Date();
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;

  constructor(answer: (request: FakeRequest) => FakeAnswer) {
    this.#server = createServer((incoming, response) => {
      this.#serve(incoming, response, answer).catch((error) => response.destroy(error as Error));
    });
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests for a path. */
  requestsFor(path: string | RegExp): FakeRequest[] {
    return this.requests.filter((request) => isFor(path, request));
  }

  /** From now on, each request for a path gets this response. */
  respond(path: string | RegExp, answer: FakeAnswer): void {
    this.faults = (request) => (isFor(path, request) ? { kind: "answer", answer } : undefined);
  }

  /** From now on, the bodies of the successful responses for a path are changed. */
  rewriteAt<Body>(path: string | RegExp, change: (body: Body, request: FakeRequest) => unknown): void {
    this.rewrite = (body, request) => (isFor(path, request) ? change(body as Body, request) : body);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #rewritten(answer: FakeAnswer, request: FakeRequest): FakeAnswer {
    return "body" in answer && (answer.status ?? 200) < 300
      ? { ...answer, body: this.rewrite(answer.body, request) }
      : answer;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse, answer: (request: FakeRequest) => FakeAnswer) {
    const url = new URL(incoming.url ?? "/", this.url);
    const request: FakeRequest = {
      method: incoming.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      rawPath: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(await Array.fromAsync(incoming)).toString(),
      number: this.requests.length + 1,
    };
    this.requests.push(request);
    const fault = this.faults(request);
    if (fault?.kind === "cut") {
      incoming.socket.destroy();
      return;
    }
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    if (fault?.kind !== "answer") this.beforeAnswer(request);
    const {
      status = 200,
      headers,
      body,
    } = fault?.kind === "answer" ? fault.answer : this.#rewritten(answer(request), request);
    const write = fault?.kind === "answer" ? JSON.stringify : this.write;
    const text = typeof body === "string" ? body : body === undefined ? "" : write(body);
    const sent = fault?.kind === "truncated" ? text.slice(0, text.length / 2) : text;
    response.writeHead(status, {
      date: this.now().toUTCString(),
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      "content-length": Buffer.byteLength(sent),
      ...headers,
    });
    if (fault?.kind === "cutHalfway") {
      response.write(sent.slice(0, sent.length / 2), () => incoming.socket.destroy());
      return;
    }
    response.end(sent);
  }
}
