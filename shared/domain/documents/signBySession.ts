import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { awsRequests } from "../../platform/aws/awsRequests.ts";
import { reportOutages } from "../../platform/aws/reportOutages.ts";
import { type Bucket, bucketOf, type SignedLink } from "./bucket.ts";
import type { FileLink } from "./fileLink.ts";

/** The actions of a session: on objects and, if the bucket has a KMS key, with this key. */
const actions = {
  read: { action: "s3:GetObject", keyAction: "kms:Decrypt" },
  write: { action: "s3:PutObject", keyAction: "kms:GenerateDataKey" },
} as const;

/** The permission of a session: to read or write one object, or all objects with a key prefix. */
interface Session {
  /** The session's name in the access log of S3. */
  name: string;
  /** Undefined on the local stage, where the bucket's own credentials sign. */
  role: string | undefined;
  may: keyof typeof actions;
  /** An object key; a `*` at its end stands for any text. */
  storageKey: string;
  /** Seconds. */
  life: number;
}

/** The minimum of STS, in seconds. */
const minSessionLife = 900;

/**
 * Signs links with the credentials of a new session, if a role is known. A link becomes invalid when the credentials
 * that signed it expire, and the credentials of a function can expire at any time.
 *
 * @param sign receives the bucket with the session's credentials, and the start of the link's validity; without a
 *   session, `bucket` alone
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function signBySession<T>(
  bucket: Bucket,
  session: Session,
  sign: (bucket: Bucket, from?: Date) => Promise<T>,
): Promise<T> {
  if (!session.role) return sign(bucket);
  // The validity of the link starts before the session, so that the link does not outlive the session.
  const from = new Date();
  const signer = bucketOf(bucket.name, { credentials: await credentialsOf(bucket, session) });
  try {
    return await sign(signer, from);
  } finally {
    signer.client.destroy();
  }
}

/**
 * Signs links that download files, by one session.
 *
 * @param session.life seconds for which the links are valid
 * @returns the link of each file
 * @throws ServiceError "unavailable" if STS provides no session
 */
export async function signFiles<File extends { storage_key: string }>(
  bucket: Bucket,
  session: Omit<Session, "may">,
  files: readonly File[],
  nameOf: (file: File) => string,
): Promise<(file: File) => FileLink> {
  const { life } = session;
  const sign = (signer: Bucket, from?: Date) =>
    Promise.all(files.map((file) => signer.signDownload(file.storage_key, nameOf(file), { from, life })));
  const links = await signBySession(bucket, { ...session, may: "read" }, sign);
  const linkOf = new Map(files.map(({ storage_key }, i) => [storage_key, links[i] as SignedLink]));
  return ({ storage_key }) => {
    const { link, expiresAt } = linkOf.get(storage_key) as SignedLink;
    return { download_link: link, expires_date: new Date(expiresAt).toISOString() };
  };
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

async function credentialsOf(bucket: Bucket, { name, role, may, storageKey, life }: Session) {
  const { action, keyAction } = actions[may];
  const { Credentials: session } = await sts().send(
    new AssumeRoleCommand({
      RoleArn: role,
      RoleSessionName: name,
      DurationSeconds: Math.max(life, minSessionLife),
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
