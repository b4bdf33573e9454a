import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { expect, inject } from "vitest";
import { bundle } from "../../infra/bundle/bundle.ts";
import { pages } from "../../shared/web/pageRoutes.ts";

/** The addresses of the files that a page loads. */
export const filesOf = ({ body }: APIGatewayProxyResult) =>
  [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);

export const policyOf = ({ headers }: APIGatewayProxyResult) =>
  String(headers?.["Content-Security-Policy"]).split("; ");

/** Expects that a page has no inline code, runs only its own script and sends no referrer. */
export function expectOwnCode(page: APIGatewayProxyResult): void {
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  expect(page.headers?.["Referrer-Policy"]).toBe("no-referrer");
  expect(policyOf(page).filter((rule) => !rule.startsWith("connect-src"))).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
}

/**
 * Expects that the four files of a page may be cached forever.
 * @param open requests a file by its name
 * @returns the compressed bytes of the page with its files
 */
export async function bytesOf(
  page: APIGatewayProxyResult,
  open: (file: string) => Promise<APIGatewayProxyResult>,
): Promise<number> {
  let bytes = gzipSync(page.body).length;
  const addresses = filesOf(page);
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const [, file = ""] = /(?:^|\/)(\w+-[0-9a-f]{12}\.(?:css|js|svg))$/.exec(address) ?? [];
    const { statusCode, headers, body } = await open(file);
    expect([statusCode, headers?.["Cache-Control"]], address).toEqual([200, "public, max-age=31536000, immutable"]);
    bytes += gzipSync(body).length;
  }
  return bytes;
}

/** Bundles the handler of a page for AWS. The function that is returned calls it away from the project's files. */
export async function bundled(path: string, settings: Record<string, string> = {}) {
  const page = pages.find((each) => each.path === path) ?? expect.fail();
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "bundle-"));
  await bundle("sandbox", [page], directory);
  const folder = join(directory, page.handler);
  return (events: readonly APIGatewayProxyEvent[]): APIGatewayProxyResult[] => {
    const program = `import { handler } from "./index.mjs";
      const answers = ${JSON.stringify(events)}.map(handler);
      process.stdout.write(JSON.stringify(await Promise.all(answers)));`;
    const env = { LAMBDA_TASK_ROOT: folder, ...settings };
    const options = { cwd: folder, env, maxBuffer: 2 ** 24, encoding: "utf8" } as const;
    return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program], options));
  };
}
