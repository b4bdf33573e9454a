import { randomUUID } from "node:crypto";
import type { APIGatewayProxyResult } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../../functions/console/consolePage.ts";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { putServiceProvider } from "../../../shared/store/crbs.ts";
import { requestEvent } from "../../requestEvent.ts";
import { useIdentityProvider } from "../../testIdentityProvider.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { bundled, bytesOf, expectOwnCode, filesOf, policyOf } from "../pageUnderTest.ts";

const table = useTestTable();
useTestBucket();
const provider = useIdentityProvider();
const entryEvent = requestEvent({ resource: "/console" });
const open = (file: string) => handler(requestEvent({ resource: "/console/{file}", path: { file } }));
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
  for (const page of [await handler(entryEvent), await open(await givenInstitution())]) expectOwnCode(page);
});

test("all files total less than 150 KB, may be cached forever, and are found from both pages", async () => {
  const [entry, page] = [await handler(entryEvent), await open("unknown")];
  const absolute = (path: string, result: APIGatewayProxyResult) =>
    filesOf(result).map((address) => new URL(address, `https://data.example.com/v1${path}`).pathname);
  const paths = absolute("/console", entry);
  expect(absolute("/console/front-range", page)).toEqual(paths);
  for (const path of paths) expect(path).toMatch(/^\/v1\/console\/[^/]+$/);
  expect(await bytesOf(page, open)).toBeLessThan(150_000);
  expect((await open("console.js")).statusCode).toBe(404);
});

test("the policy permits the origins of the issuer and of its token endpoint", async () => {
  discover("https://1.1.1.1/token");
  const page = await open(await givenInstitution());
  expect(connectionsOf(page)).toEqual([provider.issuer, "https://1.1.1.1"]);
});

test("the policy does not depend on the request: without settings it permits no other origin", async () => {
  for (const page of [
    await handler(entryEvent),
    await open("nothing-here"),
    await open("x".repeat(3_000)),
    await open("ü/#"),
  ])
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
  const [answer] = (await bundled("/console"))([entryEvent]);
  expect(answer?.body).toBe((await handler(entryEvent)).body);
});
