import { type DynamoDBClient, ExportTableToPointInTimeCommand } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { mapInGroups } from "../../store/groups.ts";
import { completeMark, exportFolder, exportMinutes } from "./changeFolders.ts";
import { type ExportedHours, findExport, listHours } from "./findExports.ts";

// DynamoDB exports the table's changes to a bucket in another region, one export for each hour. The bucket is the only
// state: an hour is exported if the bucket has the export's manifest, which DynamoDB writes last. A run marks the hours that it
// finds to be exported, so that later runs need no requests for them.

const hourMs = exportMinutes * 60_000;
/** DynamoDB exports a time only some minutes after it. */
const settleMs = 10 * 60_000;
/** An export that has no manifest after this time is requested again. */
const attemptMs = 3 * 60 * 60_000;
/** The hours that a run looks back. When a gap is older, every copy of the table that the recovery region has is newer. */
const maxHours = 8 * 24;
/** The hours that are checked at the same time. The bucket is in another region, so each request can take a fifth of a second. */
const atOnce = 16;

/** The table and the destination of its exports. */
export interface ChangeExports {
  dynamodb: DynamoDBClient;
  /** A client of the bucket's region. */
  s3: S3Client;
  tableArn: string;
  bucket: string;
  /** The ARN of the KMS key of the bucket, in the bucket's region. */
  keyArn: string;
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
 * @throws the error of S3 if the bucket cannot be listed, or an hour cannot be marked
 */
export async function exportChanges(exports: ChangeExports, now: Date): Promise<ExportedChanges> {
  const newest = Math.floor((now.getTime() - settleMs) / hourMs) * hourMs - hourMs;
  const known = await listHours(bucketOf(exports));
  // The first run begins with the last hour.
  const oldest = Math.max(known.all[0] ?? newest, newest - (maxHours - 1) * hourMs);
  const hours = Array.from({ length: (newest - oldest) / hourMs + 1 }, (_, i) => oldest + i * hourMs);
  const complete: boolean[] = [];
  const check = (from: number) => isComplete(exports, known, from);
  for await (const some of mapInGroups(hours, atOnce, check)) complete.push(...some);
  const missing = hours.filter((_, i) => !complete[i]);
  const until = missing[0] ?? newest + hourMs;
  const completeUntil = until > oldest ? new Date(until) : null;
  const result: ExportedChanges = { requested: 0, completeUntil, failures: [] };
  for (const from of missing) {
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

/** Whether an hour is exported. Marks it in the bucket if it is. */
async function isComplete(exports: ChangeExports, known: ExportedHours, from: number): Promise<boolean> {
  if (known.complete.has(from)) return true;
  const bucket = bucketOf(exports);
  if (!known.all.includes(from) || !(await findExport(bucket, from))) return false;
  const Key = completeMark(bucket.tableName, new Date(from));
  await exports.s3.send(new PutObjectCommand({ Bucket: exports.bucket, Key, Body: "" }));
  return true;
}

const bucketOf = ({ s3, bucket, tableArn }: ChangeExports) => ({ s3, bucket, tableName: nameOf(tableArn) });

const nameOf = (tableArn: string): string => tableArn.split("/").at(-1) ?? "";
