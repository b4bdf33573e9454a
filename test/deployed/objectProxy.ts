import { createServer, type Server } from "node:http";
import { splitTarget } from "../../infra/local/event.ts";
import { ObjectFiles } from "../../infra/local/objectStore/objectFiles.ts";
import { createObjectStore } from "../../infra/local/objectStore/objectStore.ts";
import { StoreError } from "../../infra/local/objectStore/storeError.ts";
import { AccessDenied, type Principal, type Principals } from "./principals.ts";
import { region } from "./template.ts";

/**
 * Stands before the objects of a bucket, in a directory: lets pass what the policy of the signer permits, whether the
 * signature stands in the header or in the link, and has it checked with the signer's own secret.
 */
export function createObjectProxy(principals: Principals, bucket: string, directory: string): Server {
  const files = new ObjectFiles(directory);
  const stores = new Map<Principal, Server>();
  const storeOf = (credentials: Principal) => {
    const store = stores.get(credentials) ?? createObjectStore({ bucket, directory, access: { region, credentials } });
    stores.set(credentials, store);
    return store;
  };
  return createServer(async (request, response) => {
    try {
      const signer = principals.signerOf(request);
      const [, name, ...rest] = splitTarget(request.url ?? "/").path.split("/");
      const key = decodeURIComponent(rest.join("/"));
      const action = { PUT: "s3:PutObject", DELETE: "s3:DeleteObject" }[request.method ?? ""] ?? "s3:GetObject";
      principals.authorise(signer, [{ action, resource: `arn:aws:s3:::${name}/${key}` }]);
      // S3 tells that an object is missing only to who may list the bucket.
      if (action === "s3:GetObject" && !(await files.read(key))) {
        principals.authorise(signer, [{ action: "s3:ListBucket", resource: `arn:aws:s3:::${name}` }]);
      }
      storeOf(signer).emit("request", request, response);
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      const { status, body } = new StoreError("AccessDenied", error.message.replaceAll(/[<>&"]/g, ""));
      request.resume();
      response.writeHead(status, { "Content-Type": "application/xml" }).end(body);
    }
  });
}
