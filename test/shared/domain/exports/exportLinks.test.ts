import { expect, test } from "vitest";
import { bucketName } from "../../../../infra/local/environment.ts";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { exportPrefix } from "../../../../shared/domain/documents/objectPrefixes.ts";
import { exportWithLinks } from "../../../../shared/domain/exports/exportLinks.ts";
import type { StoredExport, StoredPart } from "../../../../shared/domain/exports/storedExport.ts";
import { useSessions } from "../documents/useSessions.ts";

const role = "arn:aws:iam::123456789012:role/export-reader";
const sessions = useSessions("EXPORT_READER_ROLE", role);

const crb_id = "0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90";
const id = "c6f81d27-3a94-4be0-9d52-70e1b8a4f3c6";
const prefix = `${exportPrefix(crb_id)}${id}/`;

const part = (number: number): StoredPart => ({
  kind: "sales",
  part: number,
  records: 1,
  bytes: 3,
  sha256: "00".repeat(32),
  storage_key: `${prefix}sales-${number}-random.parquet`,
});

const stored: StoredExport = {
  crb_id,
  id,
  sp_id: crb_id,
  version: 3,
  status: "ready",
  error: null,
  kinds: ["sales"],
  format: "parquet",
  created_at: "2026-03-02T20:05:00.000Z",
  started_at: "2026-03-02T20:05:10.000Z",
  created_by: null,
  created_by_person: null,
  expires_at: "2026-03-09T20:05:00.000Z",
  due: "2026-03-09T20:05:00.000Z",
  held_until: 0,
  failures: 0,
  progress: [],
  parts: [part(1), part(2)],
};

test("one session signs the links of an export, and may read only its files", async () => {
  for (const { storage_key } of stored.parts) await sessions.service.storeBytes(storage_key, Buffer.from("abc"));
  const { files } = await exportWithLinks(sessions.service, stored);
  for (const { part, download_link, expires_date } of files) {
    const response = await fetch(download_link ?? "");
    expect([response.status, await response.text()]).toEqual([200, "abc"]);
    expect(response.headers.get("content-disposition")).toContain(`"sales-${part}.parquet"`);
    const left = Date.parse(expires_date ?? "") - Date.now();
    expect(left).toBeGreaterThan(500_000);
    expect(left).toBeLessThanOrEqual(600_000);
  }
  expect(sessions.requests.map((request) => request.get("RoleArn"))).toEqual([role]);
  const { Statement } = JSON.parse(sessions.requests[0]?.get("Policy") ?? "{}");
  expect(Statement).toContainEqual({
    Effect: "Allow",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::${bucketName}/${prefix}*`,
  });
});

test("an export that is not ready has no files, and no session is created for it", async () => {
  for (const status of ["queued", "running", "failed", "deleted", "expired"] as const) {
    expect((await exportWithLinks(sessions.service, { ...stored, status })).files).toEqual([]);
  }
  expect(sessions.requests).toEqual([]);
});

test("if no session can be created, the caller gets a retryable error and no link", async () => {
  sessions.status = 503;
  await expect(exportWithLinks(sessions.service, stored)).rejects.toThrow(ServiceError);
});
