import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import { reportOutages } from "../../platform/aws/reportOutages.ts";
import { type Bucket, bucketOf, type SignedLink } from "./bucket.ts";

/** The one thing that a session may do, on an object and with the bucket's key, where it has one. */
export interface SessionOf {
  /** The session's name in the log of accesses. */
  name: string;
  role: string;
  storageKey: string;
  action: "s3:GetObject" | "s3:PutObject";
  keyAction: "kms:Decrypt" | "kms:GenerateDataKey";
  /** Seconds; STS gives no less than 900. */
  life: number;
}

/**
 * Has a link signed by a session of its own: a link dies with the credentials that signed it, and a function's own may do
 * so at any time.
 *
 * @param sign is given the bucket as the session reaches it, and when the link's life begins
 * @throws ServiceError "unavailable" when no session can be had
 */
export async function signBySession(
  bucket: Bucket,
  session: SessionOf,
  sign: (bucket: Bucket, from: Date) => Promise<SignedLink>,
): Promise<SignedLink> {
  // Before the session begins, so that the link does not outlive it.
  const from = new Date();
  const signer = bucketOf(bucket.name, { credentials: await credentialsOf(bucket, session) });
  try {
    return await sign(signer, from);
  } finally {
    signer.client.destroy();
  }
}

let processClient: STSClient | undefined;

/** Made at the first call. */
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
          // Within what the role may: the bucket's key.
          { Effect: "Allow", Action: keyAction, Resource: "*" },
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
