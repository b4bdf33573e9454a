import * as sdk from "@aws-sdk/client-dynamodb";
import { engineAccess } from "../infra/local/environment.ts";
import { postToEngine } from "./engineConnection.ts";

/** Middleware that this client omits: a call to a local engine needs no signature and no retry. */
const unneeded = [
  "loggerMiddleware",
  "contentLengthMiddleware",
  "getUserAgentMiddleware",
  "hostHeaderMiddleware",
  "recursionDetectionMiddleware",
  "retryMiddleware",
  "httpSigningMiddleware",
];

/** Replaces the endpoint rules, which would otherwise run for each call. No call uses the address. */
const unused = new URL("http://127.0.0.1");

/** The headers of a call, except its name. */
const headers = [
  "content-type: application/x-amz-json-1.0",
  "x-amz-date: 20260101T000000Z",
  `authorization: AWS4-HMAC-SHA256 Credential=local/20260101/${engineAccess.region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
  "",
].join("\r\n");

interface Call {
  command: string;
  input: unknown;
}

/**
 * An SDK client that sends its calls to an engine with minimal work: a simulated history needs half the processor
 * time. Tests of the SDK's own behavior make a client of their own.
 */
export function engineClient(endpoint: string | Promise<string>): sdk.DynamoDBClient {
  const client = new sdk.DynamoDBClient({ ...engineAccess, endpoint: async () => endpointOf(await endpoint) });
  sendStraight(client, endpoint);
  return client;
}

/** Makes a client send its calls to an engine without the SDK's work for AWS, whatever middleware is attached. */
export function sendStraight(client: sdk.DynamoDBClient, endpoint: string | Promise<string>): void {
  const requestHandler = { handle: async (call: Call) => answerOf(await endpoint, call), destroy: () => undefined };
  Object.assign(client.config, { requestHandler, endpointProvider: () => ({ url: unused }) });
  for (const name of unneeded) client.middlewareStack.remove(name);
  client.middlewareStack.add(
    (next, { commandName: command }) =>
      ({ input }) =>
        next({ input, request: { command, input } } as never),
    { step: "serialize", name: "serializerMiddleware", override: true },
  );
  client.middlewareStack.add((next) => next, { step: "deserialize", name: "deserializerMiddleware", override: true });
}

/** Another client of the same engine, without attached middleware. */
export function sameEngine({ config }: sdk.DynamoDBClient): sdk.DynamoDBClient {
  return engineClient(urlOf(config.endpoint));
}

async function urlOf(endpoint: sdk.DynamoDBClient["config"]["endpoint"]): Promise<string> {
  if (!endpoint) return process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "";
  const { protocol, hostname, port } = await endpoint();
  return `${protocol}//${hostname}:${port}`;
}

function endpointOf(url: string) {
  const { protocol, hostname, port } = new URL(url);
  return { protocol, hostname, port: Number(port), path: "/" };
}

/** The `host:port` of each address. Parsing an address with each call would cost a quarter of the call's processor time. */
const places = new Map<string, string>();

function placeOf(endpoint: string): string {
  const place = places.get(endpoint) ?? new URL(endpoint).host;
  places.set(endpoint, place);
  return place;
}

async function answerOf(endpoint: string, { command, input }: Call) {
  const target = `x-amz-target: DynamoDB_20120810.${command.replace("Command", "")}\r\n`;
  const response = await postToEngine(placeOf(endpoint), headers + target, JSON.stringify(input, textOf));
  const output = JSON.parse(response.text, response.text.includes('"B":') ? bytesOf : undefined);
  if (response.statusCode !== 200) throw exceptionOf(output);
  return { response, output: { ...output, $metadata: {} } };
}

/** Bytes as the wire has them; a Buffer has made a description of itself of them by then. */
function textOf(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
}

function bytesOf(name: string, value: unknown): unknown {
  return name === "B" && typeof value === "string" ? new Uint8Array(Buffer.from(value, "base64")) : value;
}

function exceptionOf({ __type = "", message, Message, ...details }: Record<string, string>): Error {
  const Exception = (sdk as unknown as Record<string, new (details: object) => Error>)[__type.split("#").at(-1) ?? ""];
  const all = { ...details, message: message ?? Message ?? __type, $metadata: {} };
  return Exception ? new Exception(all) : Object.assign(new Error(all.message), { name: __type });
}
