import { createWriteStream, type WriteStream } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { FunctionHost } from "../../../infra/local/functionHost.ts";
import type { Deployed, Deployment } from "./deployment.ts";
import type { Principals } from "./principals.ts";
import { rolePolicy } from "./rolePolicy.ts";
import { region } from "./template.ts";

/** Lambda's limit for requests and responses: 6 MB. */
const payloadLimit = 6 * 1024 * 1024;

/** A request above Lambda's limit. */
export class RequestTooLarge extends Error {}

/** Endpoints of the services that functions call, by the SDK's environment variables: `DYNAMODB`, `S3` ... */
export type ServiceAddresses = Readonly<Record<string, string>>;

/** The functions of a deployment. Each runs its bundle in its own thread, with its own environment and access key. */
export class Functions {
  readonly #hosts = new Map<string, { host: FunctionHost; timeout: number }>();
  readonly #log: WriteStream;

  /**
   * @param log file for their output
   * @param instead environment variables that differ from the template
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
        // The bundles are in another place in every run, so that a compile cache would never be used.
        NODE_DISABLE_COMPILE_CACHE: "1",
      };
      const module = pathToFileURL(join(folder, "index.mjs")).href;
      const host = new FunctionHost(environment, this.#log, () => module);
      // A function is found by its plain ARN and by that of its version.
      const found = { host, timeout: deployed.properties.Timeout * 1_000 };
      for (const arn of [deployed.arn, `${deployed.arn}:1`]) this.#hosts.set(arn, found);
    }
  }

  /**
   * Calls a function by its ARN; returns its response or throws its error.
   *
   * @throws RequestTooLarge; Error if the function exceeds its timeout or Lambda's response limit
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

/** The folder of a function's bundle, which the CDK would upload under the name in the template. */
function folderOf(directory: string, { id, properties }: Deployed): string {
  if (properties.Handler !== "index.handler") throw new Error(`the handler of ${id} is ${properties.Handler}`);
  return join(directory, `asset.${basename(properties.Code.S3Key, ".zip")}`);
}
