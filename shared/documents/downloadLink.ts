import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { reportOutages } from "../table/outages.ts";
import { type Bucket, bucketOf, downloadLife, type SignedLink } from "./bucket.ts";

/**
 * A link by which whoever has it reads an object, as a file of this name, for 3600 s (contract 8.1).
 *
 * A link dies with the credentials that signed it, and a function's own may do so at any time. So where
 * DOCUMENT_READER_ROLE names a role (on AWS), each link is signed by a session of that role, which lives as long as the
 * link and may read that one object.
 *
 * @throws ServiceError "unavailable" when no session can be had
 */
export async function downloadLink(bucket: Bucket, storageKey: string, fileName: string): Promise<SignedLink> {
  const role = process.env.DOCUMENT_READER_ROLE;
  if (!role) return bucket.signDownload(storageKey, fileName);
  // Before the session begins, so that the link does not outlive it.
  const from = new Date();
  const credentials = await readerSession(role, `arn:aws:s3:::${bucket.name}/${storageKey}`);
  const reader = bucketOf(bucket.name, { credentials });
  try {
    return await reader.signDownload(storageKey, fileName, from);
  } finally {
    reader.client.destroy();
  }
}

let processClient: STSClient | undefined;

/** Made at the first call. */
function sts(): STSClient {
  if (!processClient) {
    processClient = new STSClient({ requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 } });
    reportOutages(processClient);
  }
  return processClient;
}

async function readerSession(role: string, object: string) {
  const { Credentials: session } = await sts().send(
    new AssumeRoleCommand({
      RoleArn: role,
      RoleSessionName: "download",
      DurationSeconds: downloadLife,
      Policy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Action: "s3:GetObject", Resource: object },
          // Within what the role may: the bucket's key, where it has one.
          { Effect: "Allow", Action: "kms:Decrypt", Resource: "*" },
        ],
      }),
    }),
  );
  if (!session?.AccessKeyId || !session.SecretAccessKey) throw new Error("STS gave no credentials");
  return {
    accessKeyId: session.AccessKeyId,
    secretAccessKey: session.SecretAccessKey,
    ...(session.SessionToken && { sessionToken: session.SessionToken }),
  };
}
