import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { APIGatewayProxyResult } from "aws-lambda";
import { afterEach, expect, inject, test, vi } from "vitest";
import { handler } from "../../../functions/connect/connectPage.ts";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { bucketOf } from "../../../shared/domain/documents/bucket.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { requestEvent } from "../../requestEvent.ts";

const settings = {
  OPERATOR_NAME: "Rock & Range Data",
  PRIVACY_URL: "https://data.example.com/privacy?of=users&page=1",
  SUPPORT_EMAIL: "help&care@example.com",
};
for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
afterEach(() => {
  for (const name of ["AWS_ENDPOINT_URL_S3", "DOCUMENTS_BUCKET", "AWS_REGION"]) vi.stubEnv(name, undefined);
});

const pageEvent = requestEvent({ resource: "/connect" });
const assetEvent = (file: string) => requestEvent({ resource: "/connect/{file}", path: { file } });
const policyOf = ({ headers }: APIGatewayProxyResult) => String(headers?.["Content-Security-Policy"]).split("; ");

/** The addresses that the page loads. */
const addressesIn = ({ body }: APIGatewayProxyResult) =>
  [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);

test("the page has no inline code, runs only its own script and sends no referrer", async () => {
  const page = await handler(pageEvent);
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  expect(page.headers?.["Referrer-Policy"]).toBe("no-referrer");
  expect(policyOf(page)).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test("the files of the page have relative addresses, may be cached forever, and total less than 60 KB with the page", async () => {
  const page = await handler(pageEvent);
  let bytes = gzipSync(page.body).length;
  const addresses = addressesIn(page);
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const [, file = ""] = /^connect\/(\w+-[0-9a-f]{12}\.(?:css|js|svg))$/.exec(address) ?? [];
    const { statusCode, headers, body } = await handler(assetEvent(file));
    expect([statusCode, headers?.["Cache-Control"]], address).toEqual([200, "public, max-age=31536000, immutable"]);
    bytes += gzipSync(body).length;
  }
  expect(bytes).toBeLessThan(60_000);
  expect((await handler(assetEvent("page.js"))).statusCode).toBe(404);
});

test("the page shows the operator, its privacy notice and the support address as text", async () => {
  const { body } = await handler(pageEvent);
  expect(body).toContain("<p>A service of Rock &amp; Range Data</p>");
  expect(body).toContain('href="https://data.example.com/privacy?of=users&amp;page=1"');
  expect(body).toContain('data-support="help&amp;care@example.com"');
  expect(body).not.toMatch(/\{\w+\}/);
});

test.each([
  ["AWS", { DOCUMENTS_BUCKET: "documents-of-a-stage", AWS_REGION: "us-west-2" }],
  [
    "one machine",
    { DOCUMENTS_BUCKET: "documents", AWS_REGION: "us-east-1", AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" },
  ],
])("the policy of the page allows uploads to the address of upload links on %s", async (_, environment) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { AWS_ENDPOINT_URL_S3: endpoint } = environment as { AWS_ENDPOINT_URL_S3?: string };
  const bucket = bucketOf(environment.DOCUMENTS_BUCKET, {
    region: environment.AWS_REGION,
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    ...(endpoint && { endpoint }),
  });
  const { link } = await bucket.signUpload("uploads/1", "application/pdf", 1);
  expect(policyOf(await handler(pageEvent))).toContain(`connect-src 'self' ${new URL(link).origin}`);
});

test("the page is the same when it is bundled for AWS, away from the project's files", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "bundle-"));
  const page = pages.find(({ path }) => path === "/connect") ?? expect.fail();
  await bundle("sandbox", [page], directory);
  const folder = join(directory, page.handler);
  const program = `import { handler } from "./index.mjs";
    process.stdout.write(JSON.stringify(await handler(${JSON.stringify(pageEvent)})));`;
  const env = { LAMBDA_TASK_ROOT: folder, ...settings };
  const options = { cwd: folder, env, encoding: "utf8" } as const;
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], options);
  expect(JSON.parse(answer)).toEqual(JSON.parse(JSON.stringify(await handler(pageEvent))));
});
