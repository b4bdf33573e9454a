import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { bucketName, engineAccess } from "../../../infra/local/environment.ts";
import { createObjectStore } from "../../../infra/local/objectStore/objectStore.ts";
import { ServiceError } from "../../../shared/api/errors.ts";
import { type Bucket, bucketOf } from "../../../shared/documents/bucket.ts";
import { downloadLink } from "../../../shared/documents/downloadLink.ts";

const role = "arn:aws:iam::123456789012:role/document-reader";
const key = "0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90/8cG0mWmS1ipzX3";
const session = { accessKeyId: "ASIASESSION", secretAccessKey: "of the session" };

let servers: Server[];
let service: Bucket;
/** What STS was asked for, and the status it answers with. */
let asked: URLSearchParams[];
let status: number;

beforeAll(async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "links-"));
  const store = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
    createObjectStore({ bucket: bucketName, directory, access: { region: engineAccess.region, credentials } });
  const sts = createServer(async (request, response) => {
    asked.push(new URLSearchParams(await text(request)));
    const credentials = `<AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey>
      <SessionToken>token+/=</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>`;
    const result = `<AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult>`;
    const error = "<Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error>";
    response.writeHead(status, { "Content-Type": "text/xml" });
    response.end(
      status === 200 ? `<AssumeRoleResponse>${result}</AssumeRoleResponse>` : `<ErrorResponse>${error}</ErrorResponse>`,
    );
  });
  // One store, which knows the service by one address and the session by the other.
  servers = [store(engineAccess.credentials), store(session), sts];
  for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  service = bucketOf(bucketName, { endpoint: urlOf(0), ...engineAccess });
  await service.store(key, "SGVsbG8=");
});

beforeEach(() => {
  asked = [];
  status = 200;
  vi.stubEnv("AWS_REGION", engineAccess.region);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", urlOf(1));
  vi.stubEnv("AWS_ENDPOINT_URL_STS", urlOf(2));
  vi.stubEnv("DOCUMENT_READER_ROLE", role);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(() => {
  service.client.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const urlOf = (index: number) => `http://127.0.0.1:${((servers[index] as Server).address() as AddressInfo).port}`;

test("a link is signed by a session that lives as long and may read that object alone", async () => {
  const before = Date.now();
  const { link, expiresAt } = await downloadLink(service, key, "Licence.pdf");
  const answer = await fetch(link);
  expect([answer.status, await answer.text()]).toEqual([200, "SGVsbG8="]);
  expect(answer.headers.get("content-disposition")).toContain("Licence.pdf");
  expect(new URL(link).searchParams.get("X-Amz-Security-Token")).toBe("token+/=");
  expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("3600");
  // The session began after the link, so that the link cannot outlive it.
  expect(expiresAt).toBeLessThanOrEqual(before + 3_600_000);
  expect(expiresAt).toBeGreaterThan(before + 3_598_000);

  const request = asked[0] ?? expect.fail();
  expect(request.get("Action")).toBe("AssumeRole");
  expect(request.get("RoleArn")).toBe(role);
  expect(request.get("DurationSeconds")).toBe("3600");
  const { Statement } = JSON.parse(request.get("Policy") ?? "{}");
  expect(Statement).toContainEqual({
    Effect: "Allow",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::${bucketName}/${key}`,
  });
});

test("every link has a session of its own", async () => {
  await downloadLink(service, key, "Licence.pdf");
  await downloadLink(service, key, "Licence.pdf");
  expect(asked).toHaveLength(2);
});

test("without a session there is no link: come again", async () => {
  status = 503;
  await expect(downloadLink(service, key, "Licence.pdf")).rejects.toThrow(ServiceError);
});

test("where no role is named, the service signs by itself", async () => {
  vi.stubEnv("DOCUMENT_READER_ROLE", "");
  const { link } = await downloadLink(service, key, "Licence.pdf");
  expect((await fetch(link)).status).toBe(200);
  expect(asked).toEqual([]);
});
