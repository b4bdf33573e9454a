import { beforeAll, expect, test, vi } from "vitest";
import { bucketName } from "../../../../infra/local/environment.ts";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { documentLinks } from "../../../../shared/domain/documents/downloadLink.ts";
import { useSessions } from "./useSessions.ts";

const role = "arn:aws:iam::123456789012:role/document-reader";
const key = "0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90/8cG0mWmS1ipzX3";
const sessions = useSessions("DOCUMENT_READER_ROLE", role);

beforeAll(() => sessions.service.store(key, "SGVsbG8=", "text/plain"));

test("links are signed by a session that lasts as long as the links and may read only the objects of that document", async () => {
  const second = Math.floor(Date.now() / 1_000) * 1_000;
  vi.setSystemTime(second + 900);
  const { text, file } = await documentLinks(sessions.service, key, "License.pdf");
  vi.useRealTimers();
  const { link, expiresAt } = file;
  for (const [signed, content, name] of [
    [text.link, "SGVsbG8=", "License.pdf.base64.txt"],
    [link, "Hello", "License.pdf"],
  ] as const) {
    const response = await fetch(signed);
    expect([response.status, await response.text()]).toEqual([200, content]);
    expect(response.headers.get("content-disposition")).toContain(`filename="${name}"`);
  }
  expect(new URL(link).searchParams.get("X-Amz-Security-Token")).toBe("token+/=");
  expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("3600");
  // The session begins after the link, so the link cannot be valid for longer.
  expect(expiresAt).toBe(second + 3_600_000);

  const request = sessions.requests[0] ?? expect.fail();
  expect(request.get("Action")).toBe("AssumeRole");
  expect(request.get("RoleArn")).toBe(role);
  expect(request.get("DurationSeconds")).toBe("3600");
  const { Statement } = JSON.parse(request.get("Policy") ?? "{}");
  expect(Statement).toContainEqual({
    Effect: "Allow",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::${bucketName}/${key}*`,
  });
});

test("the links of each request have their own session", async () => {
  await documentLinks(sessions.service, key, "License.pdf");
  await documentLinks(sessions.service, key, "License.pdf");
  expect(sessions.requests).toHaveLength(2);
});

test("if no session can be created, the caller gets a retryable error and no link", async () => {
  sessions.status = 503;
  await expect(documentLinks(sessions.service, key, "License.pdf")).rejects.toThrow(ServiceError);
});

test("if no role is configured, the service signs with its own credentials", async () => {
  vi.stubEnv("DOCUMENT_READER_ROLE", "");
  const { text, file } = await documentLinks(sessions.service, key, "License.pdf");
  for (const { link } of [text, file]) expect((await fetch(link)).status).toBe(200);
  expect(sessions.requests).toEqual([]);
});
