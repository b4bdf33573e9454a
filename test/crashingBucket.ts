import { type Bucket, bucketOf, serviceBucket } from "../shared/domain/documents/bucket.ts";

/** The store of a test file, by a client of its own that is told of each call before it is made. */
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
