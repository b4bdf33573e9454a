import { describe, expect, test } from "vitest";
import { retried } from "./retry.ts";

/** Returns the given responses one after the other, and keeps the bodies of the requests. */
function answering(...responses: Response[]) {
  const bodies: string[] = [];
  const send = async (request: Request) => {
    bodies.push(await request.text());
    return responses.shift() ?? expect.fail("sent too often");
  };
  return { bodies, send };
}

const rejection = (status: number, retryAfter?: string) =>
  new Response("{}", { status, headers: retryAfter === undefined ? {} : { "Retry-After": retryAfter } });
const change = () => new Request("http://127.0.0.1/crbs", { method: "POST", body: "{}" });

describe("retried", () => {
  test.each([429, 503])("sends again after %i, with the same body", async (status) => {
    const { bodies, send } = answering(rejection(status, "0"), rejection(status, "0"), new Response("{}"));
    expect((await retried(send)(change())).status).toBe(200);
    expect(bodies).toEqual(["{}", "{}", "{}"]);
  });

  test("waits as long as Retry-After says", async () => {
    const began = performance.now();
    await retried(answering(rejection(429, "1"), new Response("{}")).send)(change());
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ["one try too many", [rejection(503, "0"), rejection(503, "0")], { retries: 1 }],
    ["a wait that is too long", [rejection(429, "61")], {}],
    ["a 503 that does not say when to come again", [rejection(503)], {}],
    ["another failure", [rejection(500, "0")], {}],
  ])("returns the response after %s", async (_, responses, retryOptions) => {
    const last = responses.at(-1);
    expect(await retried(answering(...responses).send, retryOptions)(change())).toBe(last);
  });

  test("stops waiting when the request is aborted", async () => {
    const request = new Request("http://127.0.0.1/", { signal: AbortSignal.timeout(20) });
    await expect(retried(answering(rejection(429, "30")).send)(request)).rejects.toThrow("abort");
  });
});
