import { engineAccess } from "../infra/local/environment.ts";
import { bucketOf } from "../shared/domain/documents/bucket.ts";

/** A store that nothing answers for, where no document is. */
export const unusedBucket = bucketOf("none", { endpoint: "http://127.0.0.1:9", ...engineAccess });
