import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { APIGatewayProxyResult } from "aws-lambda";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { handler } from "../../../functions/console/consolePage.ts";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { putServiceProvider } from "../../../shared/store/crbs.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { requestEvent } from "../../requestEvent.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
useTestBucket();
const provider = useIdentityProvider();
const entryEvent = requestEvent({ resource: "/console" });
const open = (file: string) => handler(requestEvent({ resource: "/console/{file}", path: { file } }));
const policyOf = ({ headers }: APIGatewayProxyResult) => String(headers?.["Content-Security-Policy"]).split("; ");
/** The origins that the page may call, without the store of documents. */
const connectionsOf = (page: APIGatewayProxyResult) => {
  const rule = policyOf(page).find((each) => each.startsWith("connect-src")) ?? "";
  const [, self, store, ...others] = rule.split(" ");
  expect([self, store]).toEqual(["'self'", process.env.AWS_ENDPOINT_URL_S3]);
  return others;
};

let hours = 0;
beforeEach(() => {
  // Discovery documents that an earlier test has read are older than any cache.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 * ++hours });
});
afterEach(() => {
  vi.useRealTimers();
  provider.answer = undefined;
});

/** An institution with the test's identity provider. @returns its short name */
async function givenInstitution(): Promise<string> {
  const id = randomUUID();
  await putServiceProvider(table(), { ...demoServiceProvider, id });
  const short_name = `bank-${id.slice(0, 8)}`;
  const roles = [{ claim: "groups", value: "Staff", role: "viewer" as const }];
  const settings = { short_name, issuer: provider.issuer, client_id: id, customers: false, roles };
  await setIdentityProvider({ table: table(), bucket: serviceBucket() }, id, settings, undefined);
  return short_name;
}

/** Lets the discovery document name a token endpoint. */
function discover(token_endpoint: unknown): void {
  provider.answer = (_, response) => void response.end(JSON.stringify({ issuer: provider.issuer, token_endpoint }));
}

test("the page has no inline code, runs only its own script and sends no referrer", async () => {
  for (const page of [await handler(entryEvent), await open(await givenInstitution())]) {
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    expect(page.headers?.["Referrer-Policy"]).toBe("no-referrer");
    const others = policyOf(page).filter((rule) => !rule.startsWith("connect-src"));
    expect(others).toEqual([
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
});

test("all files total less than 150 KB, may be cached forever, and are found from both pages", async () => {
  const addressesIn = ({ body }: APIGatewayProxyResult) =>
    [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
  const [entry, page] = [await handler(entryEvent), await open("unknown")];
  const absolute = (path: string, result: APIGatewayProxyResult) =>
    addressesIn(result).map((address) => new URL(address, `https://data.example.com/v1${path}`).pathname);
  const paths = absolute("/console", entry);
  expect(absolute("/console/front-range", page)).toEqual(paths);
  expect(paths).toHaveLength(4);
  let bytes = gzipSync(page.body).length;
  for (const path of paths) {
    const [, file = ""] = /^\/v1\/console\/(\w+-[0-9a-f]{12}\.(?:css|js|svg))$/.exec(path) ?? [];
    const { statusCode, headers, body } = await open(file);
    expect([statusCode, headers?.["Cache-Control"]], path).toEqual([200, "public, max-age=31536000, immutable"]);
    bytes += gzipSync(body).length;
  }
  expect(bytes).toBeLessThan(150_000);
  expect((await open("console.js")).statusCode).toBe(404);
});

test("the policy permits the origins of the issuer and of its token endpoint", async () => {
  discover("https://1.1.1.1/token");
  const page = await open(await givenInstitution());
  expect(connectionsOf(page)).toEqual([provider.issuer, "https://1.1.1.1"]);
});

test("the policy does not depend on the request: without settings it permits no other origin", async () => {
  for (const page of [await handler(entryEvent), await open("nothing-here"), await open("x".repeat(2_000))])
    expect(connectionsOf(page)).toEqual([]);
});

test.each<[string, unknown]>([
  ["has a directive in its host", "https://a.example.com;script-src/token"],
  ["is on a private network", "https://10.0.0.1/token"],
  ["is no URL", "javascript:alert(1)"],
  ["is no text", ["https://1.1.1.1"]],
  ["is missing", undefined],
])("a token endpoint that %s is left out of the policy", async (_, endpoint) => {
  discover(endpoint);
  expect(connectionsOf(await open(await givenInstitution()))).toEqual([provider.issuer]);
});

test("an identity provider that cannot be read does not keep the page from opening", async () => {
  provider.answer = (_, response) => void response.socket?.destroy();
  expect(connectionsOf(await open(await givenInstitution()))).toEqual([provider.issuer]);
});

test("the discovery document is read once in five minutes, and by one of simultaneous requests", async () => {
  let reads = 0;
  provider.answer = (_, response) => {
    reads++;
    response.end(JSON.stringify({ issuer: provider.issuer, token_endpoint: `${provider.issuer}/token` }));
  };
  const shortName = await givenInstitution();
  await Promise.all(Array.from({ length: 10 }, () => open(shortName)));
  vi.setSystemTime(Date.now() + 290_000);
  await open(shortName);
  expect(reads).toBe(1);
  vi.setSystemTime(Date.now() + 20_000);
  await open(shortName);
  expect(reads).toBe(2);
});

test("the page is the same when it is bundled for AWS, away from the project's files", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "bundle-"));
  const page = pages.find(({ path }) => path === "/console") ?? expect.fail();
  await bundle("sandbox", [page], directory);
  const folder = join(directory, page.handler);
  const program = `import { handler } from "./index.mjs";
    process.stdout.write(JSON.stringify(await handler(${JSON.stringify(entryEvent)})));`;
  const options = { cwd: folder, env: { LAMBDA_TASK_ROOT: folder }, encoding: "utf8" } as const;
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], options);
  const own = await handler(entryEvent);
  expect(JSON.parse(answer).body).toBe(own.body);
});
