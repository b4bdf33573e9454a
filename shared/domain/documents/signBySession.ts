import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import { reportOutages } from "../../platform/aws/reportOutages.ts";
import { type Bucket, bucketOf } from "./bucket.ts";

/**
 * The permissions of a session: one action on one object, or on all objects with a key prefix, and, if the bucket has a KMS key, one action with this key.
 */
export interface SessionOf {
  /** The session's name in the access log of S3. */
  name: string;
  role: string;
  /** An object key; a `*` at its end stands for any text. */
  storageKey: string;
  action: "s3:GetObject" | "s3:PutObject";
  keyAction: "kms:Decrypt" | "kms:GenerateDataKey";
  /** Seconds; the minimum of STS is 900. */
  life: number;
}

/**
 * Signs links with the credentials of a new session. A link becomes invalid when the credentials that signed it
 * expire, and the credentials of a function can expire at any time.
 *
 * @param sign receives the bucket with the session's credentials, and the start of the link's validity
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function signBySession<T>(
  bucket: Bucket,
  session: SessionOf,
  sign: (bucket: Bucket, from: Date) => Promise<T>,
): Promise<T> {
  // The validity of the link starts before the session, so that the link does not outlive the session.
  const from = new Date();
  const signer = bucketOf(bucket.name, { credentials: await credentialsOf(bucket, session) });
  try {
    return await sign(signer, from);
  } finally {
    signer.client.destroy();
  }
}

let processClient: STSClient | undefined;

/** The STS client, created on first use. */
function sts(): STSClient {
  if (!processClient) {
    processClient = new STSClient({ requestHandler: awsRequests() });
    reportOutages(processClient);
  }
  return processClient;
}

async function credentialsOf(bucket: Bucket, { name, role, storageKey, action, keyAction, life }: SessionOf) {
  const { Credentials: session } = await sts().send(
    new AssumeRoleCommand({
      RoleArn: role,
      RoleSessionName: name,
      DurationSeconds: life,
      Policy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Action: action, Resource: `arn:aws:s3:::${bucket.name}/${storageKey}` },
          // The policy of the role allows only the key of the bucket.
          { Effect: "Allow", Action: keyAction, Resource: "*" },
        ],
      }),
    }),
  );
  if (!session?.AccessKeyId || !session.SecretAccessKey) throw new Error("STS returned no credentials");
  return {
    accessKeyId: session.AccessKeyId,
    secretAccessKey: session.SecretAccessKey,
    ...(session.SessionToken && { sessionToken: session.SessionToken }),
  };
}
