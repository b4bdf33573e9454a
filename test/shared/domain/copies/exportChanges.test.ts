import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bucketName, engineAccess } from "../../../../infra/local/environment.ts";
import { type ChangeExports, exportChanges } from "../../../../shared/domain/copies/exportChanges.ts";
import { type Bucket, bucketOf } from "../../../../shared/domain/documents/bucket.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { storeExport } from "./exportedChanges.ts";

// No engine on one machine can export, so a server answers in place of DynamoDB. The bucket is real.

useTestBucket();
interface Requested {
  ClientToken: string;
  ExportType: string;
  IncrementalExportSpecification: { ExportFromTime: number; ExportToTime: number; ExportViewType: string };
  S3Bucket: string;
  S3Prefix: string;
  S3SseAlgorithm: string;
  S3SseKmsKeyId: string;
}
let server: Server;
let requested: Requested[] = [];
let isRejecting = false;
let number = 0;
let bucket: Bucket;
let exports: ChangeExports;
const hour = 3_600;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requested.push((await json(request)) as Requested);
    const type = { "Content-Type": "application/x-amz-json-1.0" };
    if (isRejecting) {
      response.writeHead(400, type).end(JSON.stringify({ __type: "InvalidExportTimeException", message: "too early" }));
    } else response.writeHead(200, type).end(JSON.stringify({ ExportDescription: { ExportStatus: "IN_PROGRESS" } }));
  });
  bucket = bucketOf(bucketName, engineAccess);
  await once(server.listen(0, "127.0.0.1"), "listening");
});

beforeEach(() => {
  requested = [];
  isRejecting = false;
  const { port } = server.address() as AddressInfo;
  exports = {
    dynamodb: new DynamoDBClient({ ...engineAccess, endpoint: `http://127.0.0.1:${port}` }),
    s3: bucket.client,
    tableArn: `arn:aws:dynamodb:us-east-1:123456789012:table/table-${++number}`,
    bucket: bucket.name,
    keyArn: "arn:aws:kms:us-east-2:123456789012:key/mrk-1",
  };
});

afterAll(() => {
  bucket.client.destroy();
  server.close();
});

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);
const seconds = (time: string) => at(time).getTime() / 1_000;
const froms = () => requested.map((each) => each.IncrementalExportSpecification.ExportFromTime);
const store = (time: string, options = {}) => storeExport(bucket, `table-${number}`, at(time), [], options);

test("the first run exports the last full hour to the other region's bucket, encrypted with the key there", async () => {
  expect(await exportChanges(exports, at("08:20"))).toEqual({ requested: 1, completeUntil: null, failures: [] });
  expect(requested).toEqual([
    expect.objectContaining({
      ExportType: "INCREMENTAL_EXPORT",
      IncrementalExportSpecification: {
        ExportFromTime: seconds("07:00"),
        ExportToTime: seconds("08:00"),
        ExportViewType: "NEW_IMAGE",
      },
      S3Bucket: exports.bucket,
      S3Prefix: `changes/table-${number}/2026-11-20T07:00Z`,
      S3SseAlgorithm: "KMS",
      S3SseKmsKeyId: exports.keyArn,
    }),
  ]);
});

test("an hour is exported only ten minutes after its end", async () => {
  await exportChanges(exports, at("08:09"));
  expect(froms()).toEqual([seconds("06:00")]);
});

test("a request that is repeated during an export has the same token, and after three hours another", async () => {
  await store("06:00");
  for (const time of ["08:15", "08:30", "08:45"]) await exportChanges(exports, at(time));
  expect(new Set(requested.map(({ ClientToken }) => ClientToken)).size).toBe(1);
  requested = [];
  await exportChanges(exports, at("10:15"));
  const tokens = requested.map(({ ClientToken }) => ClientToken);
  expect(froms()).toEqual([seconds("07:00"), seconds("08:00"), seconds("09:00")]);
  expect(new Set(tokens).size).toBe(3);
  expect(tokens[0]).toMatch(/-1$/);
});

test("the state is as old as the first hour that the bucket lacks", async () => {
  await store("05:00");
  await store("06:00", { isComplete: false });
  await store("07:00");
  const { completeUntil } = await exportChanges(exports, at("08:20"));
  expect(completeUntil).toEqual(at("06:00"));
  expect(froms()).toEqual([seconds("06:00")]);
  // A second export of the hour completes the chain.
  await store("06:00", { id: "02" });
  expect(await exportChanges(exports, at("08:20"))).toMatchObject({ requested: 0, completeUntil: at("08:00") });
});

test("hours without any folder are found, too", async () => {
  await store("04:00");
  await store("06:00");
  expect((await exportChanges(exports, at("08:20"))).completeUntil).toEqual(at("05:00"));
  expect(froms()).toEqual([seconds("05:00"), seconds("07:00")]);
});

test("a gap is requested for eight days", async () => {
  await store("05:00");
  const now = at("08:20").getTime() + 9 * 24 * hour * 1_000;
  const { requested: count } = await exportChanges(exports, new Date(now));
  expect(count).toBe(8 * 24);
  expect(froms()[0]).toBe(seconds("08:00") + 24 * hour);
});

test("a rejected request does not keep the other hours from being exported", async () => {
  await store("05:00");
  isRejecting = true;
  const { requested: count, failures } = await exportChanges(exports, at("08:20"));
  expect([count, failures]).toEqual([0, ["InvalidExportTimeException", "InvalidExportTimeException"]]);
  expect(froms()).toEqual([seconds("06:00"), seconds("07:00")]);
});

test("a run checks many hours at the same time, and never again those that an earlier run has found complete", async () => {
  const hours = Array.from({ length: 8 }, (_, i) => `0${i}:00`);
  await Promise.all(hours.map((time) => store(time)));
  const { client } = bucket;
  let [sent, running, most] = [0, 0, 0];
  const send = (command: ListObjectsV2Command) => {
    sent++;
    most = Math.max(most, ++running);
    return client.send(command).finally(() => running--);
  };
  exports.s3 = { send } as unknown as S3Client;
  const run = async () => {
    sent = 0;
    expect(await exportChanges(exports, at("08:20"))).toMatchObject({ requested: 0, completeUntil: at("08:00") });
    return sent;
  };
  await run();
  expect(most).toBeGreaterThanOrEqual(hours.length);
  expect(await run()).toBe(1);
});
