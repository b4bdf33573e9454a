import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { bucketName, engineAccess } from "../infra/local/environment.ts";
import { createObjectStore } from "../infra/local/objectStore/objectStore.ts";

/** Starts a bucket whose objects are in a directory, and makes it the bucket of this process. */
export async function startBucket(
  directory: string,
  more: { versioned?: boolean; now?: () => Date } = {},
): Promise<Server> {
  const server = createObjectStore({ bucket: bucketName, directory, access: engineAccess, ...more });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    DOCUMENTS_BUCKET: bucketName,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  });
  return server;
}
