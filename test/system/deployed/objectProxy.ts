import { createServer, type IncomingMessage, type Server } from "node:http";
import { splitTarget } from "../../../infra/local/event.ts";
import { ObjectFiles, type StoredObject } from "../../../infra/local/objectStore/objectFiles.ts";
import { createObjectStore } from "../../../infra/local/objectStore/objectStore.ts";
import { StoreError } from "../../../infra/local/objectStore/storeError.ts";
import type { Deployment } from "./deployment.ts";
import { type Access, denies, type Statement } from "./iamPolicy.ts";
import { AccessDenied, type Principal, type Principals } from "./principals.ts";
import { region } from "./template.ts";

/**
 * A proxy for the objects of a bucket, stored in a directory. It passes a request only if the signer's policy permits
 * it and the bucket's does not deny it. The signature may be in the header or the link, and is verified with the
 * signer's own secret.
 */
export function createObjectProxy(principals: Principals, deployment: Deployment, directory: string): Server {
  const bucket = deployment.output("DocumentsBucket");
  const ofBucket = deployment
    .resources("AWS::S3::BucketPolicy")
    .filter(({ properties }) => properties.Bucket === bucket)
    .flatMap(({ properties }) => properties.PolicyDocument.Statement as Statement[]);
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
      const access = accessOf(request);
      const [bucketArn = "", key] = access.resource.split(/\/(.*)/s);
      const object = key ? await files.read(key) : undefined;
      if (denies(ofBucket, { ...access, context: { ...overTls, ...tagsOf(object), ...access.context } })) {
        throw new AccessDenied("the policy of the bucket denies it");
      }
      principals.authorize(signer, [access]);
      // S3 reports a missing object only to principals who may list the bucket. It does not say with which prefix, so
      // the proxy demands the strictest permission: listing without a prefix.
      if (key && access.action === "s3:GetObject" && !object) {
        principals.authorize(signer, [{ action: "s3:ListBucket", resource: bucketArn }]);
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

/** This server does not use TLS. */
const overTls = { "aws:SecureTransport": ["true"], "s3:TlsVersion": ["1.3"] };

const tagsOf = (object: StoredObject | undefined) =>
  Object.fromEntries(
    Object.entries(object?.tags ?? {}).map(([tag, value]) => [`s3:ExistingObjectTag/${tag}`, [value]]),
  );

/** The access that IAM checks for a request to S3: an operation on an object, or a list of objects of a bucket. */
function accessOf({ method = "", url = "/" }: IncomingMessage): Access {
  const { path, search } = splitTarget(url);
  const [, name, ...rest] = path.split("/");
  const key = decodeURIComponent(rest.join("/"));
  const bucketArn = `arn:aws:s3:::${name}`;
  const put = new URLSearchParams(search).has("tagging") ? "s3:PutObjectTagging" : "s3:PutObject";
  const action = { PUT: put, DELETE: "s3:DeleteObject" }[method] ?? "s3:GetObject";
  if (key) return { action, resource: `${bucketArn}/${key}` };
  const prefix = new URLSearchParams(search).get("prefix");
  return { action: "s3:ListBucket", resource: bucketArn, context: prefix === null ? {} : { "s3:prefix": [prefix] } };
}
