import { type DynamoDBClient, ExportTableToPointInTimeCommand } from "@aws-sdk/client-dynamodb";
import type { S3Client } from "@aws-sdk/client-s3";
import { exportFolder, exportMinutes } from "./changeFolders.ts";
import { findExport, listHours } from "./findExports.ts";

// DynamoDB exports the table's changes to a bucket in another region, one export for each hour. The bucket is the only
// state: an hour is exported if the bucket has the export's manifest, which DynamoDB writes last.

const hourMs = exportMinutes * 60_000;
/** DynamoDB exports a time only some minutes after it. */
const settleMs = 10 * 60_000;
/** An export that has no manifest after this time is requested again. */
const attemptMs = 3 * 60 * 60_000;
/** The hours that a run looks back. When a gap is older, every copy of the table that the recovery region has is newer. */
const maxHours = 8 * 24;

/** The table and the destination of its exports. */
export interface ChangeExports {
  dynamodb: DynamoDBClient;
  /** A client of the bucket's region. */
  s3: S3Client;
  tableArn: string;
  bucket: string;
  /** The ARN of the KMS key of the bucket, in the bucket's region. */
  keyArn: string;
  /** The hours that are known to be exported, in epoch milliseconds. A run adds the hours that it finds. */
  complete: Set<number>;
}

export interface ExportedChanges {
  /** The number of exports that this run requested, including those that are still in progress. */
  requested: number;
  /** Until this time the bucket has every change since the first export; null before the first complete export. */
  completeUntil: Date | null;
  /** Errors of requests that DynamoDB rejected. */
  failures: string[];
}

/**
 * Requests the exports of the full hours that the bucket lacks, at most eight days back. A request for an hour that DynamoDB is
 * still exporting has no effect, because it repeats the client token. An export that failed is requested again with another
 * token after three hours.
 *
 * @throws the error of S3 if the bucket cannot be listed
 */
export async function exportChanges(exports: ChangeExports, now: Date): Promise<ExportedChanges> {
  const newest = Math.floor((now.getTime() - settleMs) / hourMs) * hourMs - hourMs;
  const known = await listHours({ ...exports, tableName: nameOf(exports.tableArn) });
  // The first run begins with the last hour.
  const oldest = Math.max(known.length > 0 ? Math.min(...known) : newest, newest - (maxHours - 1) * hourMs);
  const result: ExportedChanges = { requested: 0, completeUntil: null, failures: [] };
  let isUnbroken = true;
  for (let from = oldest; from <= newest; from += hourMs) {
    if (known.includes(from) && (await isComplete(exports, from))) {
      if (isUnbroken) result.completeUntil = new Date(from + hourMs);
      continue;
    }
    isUnbroken = false;
    try {
      await requestExport(exports, from, now);
      result.requested++;
    } catch (error) {
      result.failures.push(error instanceof Error ? error.name : "unknown");
    }
  }
  return result;
}

async function requestExport(
  { dynamodb, tableArn, bucket, keyArn }: ChangeExports,
  from: number,
  now: Date,
): Promise<void> {
  const attempt = Math.floor((now.getTime() - from) / attemptMs);
  await dynamodb.send(
    new ExportTableToPointInTimeCommand({
      TableArn: tableArn,
      ClientToken: `${nameOf(tableArn)}-${from}-${attempt}`,
      ExportType: "INCREMENTAL_EXPORT",
      ExportFormat: "DYNAMODB_JSON",
      IncrementalExportSpecification: {
        ExportFromTime: new Date(from),
        ExportToTime: new Date(from + hourMs),
        ExportViewType: "NEW_IMAGE",
      },
      S3Bucket: bucket,
      S3Prefix: exportFolder(nameOf(tableArn), new Date(from)).slice(0, -1),
      S3SseAlgorithm: "KMS",
      S3SseKmsKeyId: keyArn,
    }),
  );
}

async function isComplete({ s3, bucket, tableArn, complete }: ChangeExports, from: number): Promise<boolean> {
  if (complete.has(from)) return true;
  const found = await findExport({ s3, bucket, tableName: nameOf(tableArn) }, from);
  if (found) complete.add(from);
  return found !== undefined;
}

const nameOf = (tableArn: string): string => tableArn.split("/").at(-1) ?? "";
