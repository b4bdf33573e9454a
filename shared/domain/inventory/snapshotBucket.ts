import { type Bucket, serviceBucket } from "../documents/bucket.ts";

/** Functions import this module dynamically; bundles have it in a file of its own (`infra/bundle/bundle.ts`). */
export const snapshotBucket = (): Bucket => serviceBucket();
