import { engineAccess } from "../infra/local/environment.ts";
import { bucketOf } from "../shared/domain/documents/bucket.ts";

/** A bucket without a server, for tests without documents. */
export const unusedBucket = bucketOf("none", { endpoint: "http://127.0.0.1:9", ...engineAccess });
