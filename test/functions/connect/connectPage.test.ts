import { afterEach, expect, test, vi } from "vitest";
import { handler } from "../../../functions/connect/connectPage.ts";
import { bucketOf } from "../../../shared/domain/documents/bucket.ts";
import { requestEvent } from "../../requestEvent.ts";
import { bundled, bytesOf, expectOwnCode, policyOf } from "../pageUnderTest.ts";

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
const open = (file: string) => handler(requestEvent({ resource: "/connect/{file}", path: { file } }));

test("the page has no inline code, runs only its own script and sends no referrer", async () => {
  const page = await handler(pageEvent);
  expectOwnCode(page);
  expect(policyOf(page)).toContain("connect-src 'self'");
});

test("the files of the page have relative addresses, may be cached forever, and total less than 60 KB with the page", async () => {
  const page = await handler(pageEvent);
  expect(await bytesOf(page, open)).toBeLessThan(60_000);
  expect(page.body.match(/ (?:src|href)="connect\/[^"]*"/g)).toHaveLength(4);
  expect((await open("page.js")).statusCode).toBe(404);
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
  const answersOf = await bundled("/connect", settings);
  expect(answersOf([pageEvent])).toEqual([JSON.parse(JSON.stringify(await handler(pageEvent)))]);
});
