import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { AddressError, type GuardOverrides, guardedRequest } from "./guardedRequest.ts";

/**
 * Reads a JSON document at a URL that a caller chose (`guardedRequest`).
 *
 * @param limits.withinMs for DNS lookup, connection, headers and body together
 * @throws Error if the document cannot be read within the limits: another status than 200, a redirect, too many bytes, a
 * slow server, or a body that is not JSON. The message has no content of the response
 */
export async function fetchGuardedJson(
  url: URL,
  { withinMs, maxBytes }: { withinMs: number; maxBytes: number },
  overrides?: GuardOverrides,
): Promise<unknown> {
  const signal = AbortSignal.timeout(withinMs);
  const request = guardedRequest(url, { method: "GET", signal, headers: { accept: "application/json" } }, overrides);
  if (!request) throw new AddressError();
  try {
    request.end();
    const [answer] = (await once(request, "response", { signal })) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch {
      throw new Error("no JSON");
    }
  } finally {
    request.destroy();
  }
}
