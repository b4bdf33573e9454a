import { expect, test, vi } from "vitest";
import { bucketName } from "../../../../infra/local/environment.ts";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { uploadLink } from "../../../../shared/domain/documents/uploadLink.ts";
import { useSessions } from "./useSessions.ts";

const role = "arn:aws:iam::123456789012:role/upload-writer";
const key = "uploads/0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90/8cG0mWmS1ipzX3";
const sessions = useSessions("UPLOAD_WRITER_ROLE", role);

const send = (link: string, body: string, type = "text/plain") =>
  fetch(link, { method: "PUT", body, headers: { "Content-Type": type, "If-None-Match": "*" } });

test("a link is signed by a session that lasts as long as the link and may write only that object", async () => {
  const second = Math.floor(Date.now() / 1_000) * 1_000;
  vi.setSystemTime(second + 900);
  const { link, expiresAt } = await uploadLink(sessions.service, key, "text/plain", 5);
  vi.useRealTimers();
  expect((await send(link, "Hello")).status).toBe(200);
  expect(String(await sessions.service.read(key))).toBe("Hello");
  expect(new URL(link).searchParams.get("X-Amz-Security-Token")).toBe("token+/=");
  expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("900");
  // The session begins after the link, so the link cannot be valid for longer.
  expect(expiresAt).toBe(second + 900_000);

  const request = sessions.requests[0] ?? expect.fail();
  expect(request.get("Action")).toBe("AssumeRole");
  expect(request.get("RoleArn")).toBe(role);
  expect(request.get("DurationSeconds")).toBe("900");
  const { Statement } = JSON.parse(request.get("Policy") ?? "{}");
  expect(Statement).toEqual([
    { Effect: "Allow", Action: "s3:PutObject", Resource: `arn:aws:s3:::${bucketName}/${key}` },
    { Effect: "Allow", Action: "kms:GenerateDataKey", Resource: "*" },
  ]);
});

test("a link accepts only one file", async () => {
  const { link } = await uploadLink(sessions.service, `${key}once`, "text/plain", 5);
  expect((await send(link, "Hello")).status).toBe(200);
  expect((await send(link, "Other")).status).toBe(412);
  expect(String(await sessions.service.read(`${key}once`))).toBe("Hello");
});

test("a link accepts only the declared type and length", async () => {
  const { link } = await uploadLink(sessions.service, key, "text/plain", 5);
  expect((await send(link, "Hello!")).status).toBe(403);
  expect((await send(link, "Hello", "text/html")).status).toBe(403);
});

test("if no session can be created, the caller gets a retryable error and no link", async () => {
  sessions.status = 503;
  await expect(uploadLink(sessions.service, key, "text/plain", 5)).rejects.toThrow(ServiceError);
});

test("if no role is configured, the service signs with its own credentials", async () => {
  vi.stubEnv("UPLOAD_WRITER_ROLE", "");
  const { link } = await uploadLink(sessions.service, `${key}own`, "text/plain", 5);
  expect((await send(link, "Hello")).status).toBe(200);
  expect(sessions.requests).toEqual([]);
});
