import { type Bucket, bucketOf, serviceBucket } from "../shared/domain/documents/bucket.ts";

/** The bucket of a test file, through a separate client that calls `before` ahead of each request. */
export function crashingBucket(before: () => unknown): Bucket {
  const bucket = bucketOf(serviceBucket().name, {
    region: "us-east-1",
    endpoint: process.env.AWS_ENDPOINT_URL_S3 ?? "",
  });
  bucket.client.middlewareStack.add(
    (next) => async (request) => {
      await before();
      return next(request);
    },
    { step: "initialize", name: "mortal" },
  );
  return bucket;
}
