import { DeleteObjectCommand, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import type { Bucket } from "./bucket.ts";

// Apart from the bucket's other methods, which are in the bundles of all functions with a bucket. Only a purge needs versions.

/** A version of an object, or a delete marker. */
interface ObjectVersion {
  key: string;
  version: string;
}

/** Lists up to 1,000 versions of the objects with a key prefix, including removed objects. */
export async function listVersions({ client, name }: Bucket, prefix: string): Promise<ObjectVersion[]> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand({ Bucket: name, Prefix: prefix }),
  );
  return [...Versions, ...DeleteMarkers].flatMap(({ Key, VersionId }) =>
    Key && VersionId ? [{ key: Key, version: VersionId }] : [],
  );
}

/** Removes a version of an object permanently. */
export async function removeVersion({ client, name }: Bucket, { key, version }: ObjectVersion): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket: name, Key: key, VersionId: version }));
}
