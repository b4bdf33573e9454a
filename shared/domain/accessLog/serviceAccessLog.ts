import { bucketOf } from "../documents/bucket.ts";
import { accessFiles } from "./accessFiles.ts";
import type { AccessLogStore } from "./accessLines.ts";
import { accessObjects } from "./accessObjects.ts";

let processStore: AccessLogStore | undefined;

/**
 * The access log of this process, from the environment: ACCESS_LOG_BUCKET on AWS, and ACCESS_LOG_DIRECTORY, the data directory, on
 * one machine. Created on first use.
 */
export function serviceAccessLog(): AccessLogStore {
  const { ACCESS_LOG_BUCKET: bucket, ACCESS_LOG_DIRECTORY: directory } = process.env;
  if (!bucket && !directory) throw new Error("Set ACCESS_LOG_BUCKET to the name of the bucket of the access log.");
  processStore ??= bucket
    ? accessObjects(bucketOf(bucket), (message) => new Error(message))
    : accessFiles(directory as string);
  return processStore;
}
