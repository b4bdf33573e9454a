import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import type { ChangeExports } from "./exportChanges.ts";

let exports: ChangeExports | undefined;

/**
 * The exports of this process, from the environment: TABLE_ARN, CHANGES_BUCKET, CHANGES_REGION, CHANGES_KEY, and the SDK's
 * variables. Created on first use.
 */
export function serviceExports(): ChangeExports {
  const { TABLE_ARN: tableArn, CHANGES_BUCKET: bucket, CHANGES_REGION: region, CHANGES_KEY: keyArn } = process.env;
  if (!tableArn || !bucket || !region || !keyArn)
    throw new Error("Set TABLE_ARN, CHANGES_BUCKET, CHANGES_REGION and CHANGES_KEY.");
  const requestHandler = awsRequests();
  exports ??= {
    dynamodb: new DynamoDBClient({ requestHandler }),
    s3: new S3Client({ requestHandler, region }),
    tableArn,
    bucket,
    keyArn,
  };
  return exports;
}
