import { createWriteStream, type WriteStream } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { FunctionHost } from "../../../infra/local/functionHost.ts";
import type { Deployed, Deployment } from "./deployment.ts";
import type { Principals } from "./principals.ts";
import { rolePolicy } from "./rolePolicy.ts";
import { region } from "./template.ts";

/** What Lambda takes, and gives back, at most: 6 MB. */
const payloadLimit = 6 * 1024 * 1024;

/** A request above Lambda's limit. */
export class RequestTooLarge extends Error {}

/** Where the services answer that functions call, as the SDK's environment variables: `DYNAMODB`, `S3` ... */
export type ServiceAddresses = Readonly<Record<string, string>>;

/** The functions of a deployment: each its own bundle in a thread of its own, with its own environment and access key. */
export class Functions {
  readonly #hosts = new Map<string, { host: FunctionHost; timeout: number }>();
  readonly #log: WriteStream;

  /**
   * @param log file for what they print
   * @param instead environment variables that are others here than in the template
   */
  constructor(
    deployment: Deployment,
    principals: Principals,
    services: ServiceAddresses,
    log: string,
    instead: Record<string, string>,
  ) {
    this.#log = createWriteStream(log, { flags: "a", mode: 0o600 });
    // Every function writes to it.
    this.#log.setMaxListeners(0);
    const roles = new Map(deployment.resources("AWS::IAM::Role").map((role) => [role.arn, role]));
    for (const deployed of deployment.resources("AWS::Lambda::Function")) {
      const role = roles.get(deployed.properties.Role);
      if (!role) throw new Error(`${deployed.id} has no role`);
      const { accessKeyId, secretAccessKey } = principals.admit(role.id, rolePolicy(deployment, role));
      const folder = folderOf(deployment.directory, deployed);
      const environment = {
        ...deployed.properties.Environment.Variables,
        ...instead,
        ...Object.fromEntries(Object.entries(services).map(([name, url]) => [`AWS_ENDPOINT_URL_${name}`, url])),
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_LAMBDA_FUNCTION_NAME: deployed.name,
        LAMBDA_TASK_ROOT: folder,
        // The bundles lie in another place in every run: what is kept of their compilation would be of use to none.
        NODE_DISABLE_COMPILE_CACHE: "1",
      };
      const module = pathToFileURL(join(folder, "index.mjs")).href;
      const host = new FunctionHost(environment, this.#log, () => module);
      // It is known by itself, and by its version.
      const found = { host, timeout: deployed.properties.Timeout * 1_000 };
      for (const arn of [deployed.arn, `${deployed.arn}:1`]) this.#hosts.set(arn, found);
    }
  }

  /**
   * Calls a function by its ARN; answers what it answers, throws what it throws.
   *
   * @throws RequestTooLarge; Error when the function takes longer than it may, or gives too much back
   */
  async invoke(arn: string, event: unknown, requestId: string): Promise<unknown> {
    const found = this.#hosts.get(arn);
    if (!found) throw new Error(`there is no function ${arn}`);
    if (sizeOf(event) > payloadLimit) throw new RequestTooLarge();
    const timer = new AbortController();
    const late = sleep(found.timeout, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error(`${arn} took longer than ${found.timeout} ms`);
    });
    try {
      const result = await Promise.race([found.host.invoke(arn, event, requestId), late]);
      if (sizeOf(result) > payloadLimit) throw new Error(`${arn} gave back more than Lambda takes`);
      return result;
    } finally {
      timer.abort();
      late.catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...new Set(this.#hosts.values())].map(({ host }) => host.stop()));
    this.#log.end();
  }
}

const sizeOf = (payload: unknown): number => Buffer.byteLength(JSON.stringify(payload) ?? "");

/** Where the bundle of a function is, which the CDK's program would upload under the name in the template. */
function folderOf(directory: string, { id, properties }: Deployed): string {
  if (properties.Handler !== "index.handler") throw new Error(`the handler of ${id} is ${properties.Handler}`);
  return join(directory, `asset.${basename(properties.Code.S3Key, ".zip")}`);
}
