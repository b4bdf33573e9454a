import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import type { Description } from "../../shared/api/openapi/openApi.ts";

const require = createRequire(import.meta.url);

/** The path of the proxy, a program from outside this project; undefined if it is not installed. */
const program = findProgram();

export const hasProxy = program !== undefined;
if (!hasProxy) console.log("Skipped: the walk by way of a validating proxy, for want of @stoplight/prism-cli.");

/**
 * Starts Prism in front of a stage until the end of the test. If a request or response does not fit the description, Prism
 * returns a problem (`application/problem+json`) instead.
 * @returns its address
 */
export async function startProxy(description: Description, upstream: string): Promise<string> {
  const file = join(inject("temporaryDirectory"), "proxied-openapi.json");
  writeFileSync(file, JSON.stringify(description));
  const port = String(await freePort());
  const parameters = ["proxy", file, upstream, "--errors", "--host", "127.0.0.1", "--port", port];
  const proxy = spawn(process.execPath, [program ?? "", ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void proxy.kill());
  let printed = "";
  for (const output of [proxy.stdout, proxy.stderr]) {
    output.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  await expect.poll(() => printed, { timeout: 60_000 }).toContain("Prism is listening");
  return `http://127.0.0.1:${port}`;
}

function findProgram(): string | undefined {
  try {
    return require.resolve("@stoplight/prism-cli");
  } catch {
    return undefined;
  }
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
