import { createServer } from "node:http";
import { Readable, Writable } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../../../infra/cli/runProgram.ts";
import { close, listen as listenAt } from "../../../../infra/local/listen.ts";
import { webhooks } from "../../../../infra/tools/webhooks/webhooks.ts";
import { badHeaders, deliver, eventText, otherSecret, secret, signedHeaders } from "./signed.ts";

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of running.splice(0)) await end();
  vi.unstubAllEnvs();
});

/**
 * Runs the program until it or the test ends.
 * @param input the text on stdin, which is no terminal
 */
async function listening(parameters: readonly string[] = ["listen", "--port", "0"], input = `${secret}\n`) {
  const written = { out: "", err: "" };
  const into = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk;
        done();
      },
    });
  const ending = new AbortController();
  const { promise: listened, resolve } = Promise.withResolvers<string>();
  const terminal = { stdin: Readable.from([input]), stdout: into("out"), stderr: into("err") };
  const ended = runProgram(
    (given, at) => webhooks(given, at, { signal: ending.signal, onListening: resolve }),
    parameters,
    terminal,
  );
  const end = () => {
    ending.abort();
    return ended;
  };
  running.push(end);
  const url = await Promise.race([listened, ended.then(() => "")]);
  return { url, written, end };
}

test("prints events with valid signatures, one per line, and says how to register it", async () => {
  const { url, written, end } = await listening();
  const [first, second] = [eventText({ data: { name: "\u001b[2J\u202e" } }), `{\n "type": "crb.updated" }`];
  expect([await deliver(url, first), await deliver(`${url}any/path`, second)]).toEqual([204, 204]);
  expect(await deliver(url, first, signedHeaders(first, [otherSecret, secret]))).toBe(204);
  const lines = written.out.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([first, second, first].map((text) => JSON.parse(text)));
  for (const sign of ["\u001b", "\u202e"]) expect(written.out).not.toContain(sign);
  expect(written.err).toContain(`Listening at ${url}. Register this address with createWebhookEndpoint`);
  expect(await end()).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

test.each(badHeaders)("responds with 400 to a delivery with %s, says so, and prints nothing", async (_, headersOf) => {
  const { url, written } = await listening();
  const body = eventText();
  expect(await deliver(url, body, headersOf(body))).toBe(400);
  expect(written.out).toBe("");
  expect(written.err).toMatch(/\nRejected \S+ with 400: [^\n]+\.\n$/);
  expect(written.err).not.toContain(secret);
  expect(await deliver(url, body)).toBe(204);
});

test("prints only deliveries", async () => {
  const { url, written } = await listening();
  for (const method of ["PUT", "DELETE"]) expect((await fetch(url, { method })).status).toBe(404);
  expect((await fetch(url, { method: "POST", body: "x".repeat(11_000_000) })).status).toBe(413);
  expect(written.out).toBe("");
});

test("can read its secret from a variable", async () => {
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const { url, written } = await listening(["listen", "--port", "0", "--secret-env", "WEBHOOK_SECRET"], "");
  const body = eventText();
  expect(await deliver(url, body)).toBe(204);
  expect(written.out).toBe(`${body}\n`);
});

describe("rejects in one line, without the secret,", () => {
  test.each([
    ["the secret as a parameter", ["listen", secret], "Too many arguments for npm run --silent webhooks -- listen"],
    ["the secret as the command", [secret], "Unknown command 'whsec_…'"],
    ["the secret as an option", ["listen", "--secret-env", secret], "is empty"],
    ["a port that is none", ["listen", "--port", "70000"], "--port must be an integer from 0 to 65535"],
    ["an empty variable", ["listen", "--secret-env", "NOT_SET"], "variable of --secret-env is empty"],
    ["an empty input", ["listen"], "stdin is empty", ""],
    ["an input without a secret", ["listen"], "is not an endpoint's secret", "sk_live_123\n"],
  ])("%s", async (_, parameters, message, input = `${secret}\n`) => {
    const { written, end } = await listening(parameters, input);
    expect(await end()).toBe(1);
    expect(written.out).toBe("");
    expect(written.err).toContain(message);
    expect(written.err.trimEnd()).not.toContain("\n");
    expect(written.err).not.toMatch(/sk_live|AQEBAQ/);
  });

  test("a port that is in use", async () => {
    const other = createServer();
    const port = await listenAt(other, 0);
    const { written, end } = await listening(["listen", "--port", String(port)]);
    expect(await end()).toBe(1);
    expect(written.err).toBe(
      `Port ${port} is in use: stop the program that uses it, or choose another port with --port.\n`,
    );
    await close(other);
  });
});
