import { join } from "node:path";
import { partnerKeys } from "../../shared/pos/partnerKeys.ts";
import { metrcTestEndpointVariable, testEndpointVariables } from "../../shared/pos/testEndpoints.ts";
import { variableName } from "../stages/outputs.ts";
import { settingsEnvironment } from "../stages/stages.ts";
import { workQueues } from "../stages/workQueue.ts";
import { demoMetrcAccess } from "./metrc/demoMetrcAccess.ts";

/** The one table of the local stage. */
export const tableName = "business-data";

/** The one bucket of the local stage. */
export const bucketName = "documents";

/** The addresses of the services that stand in for AWS. */
export interface Endpoints {
  engine: string;
  objectStore: string;
  queues: string;
  mailbox: string;
  /** The replacement for Metrc. */
  metrc: string;
  /** The address of the API. */
  api: string;
}

/** Dummy credentials: local services accept any credentials, and real credentials must not be used here. */
export const engineAccess = { region: "us-east-1", credentials: { accessKeyId: "local", secretAccessKey: "local" } };

/** The names of the files and folders of a local stage, all in its data directory. */
export const fileNames = {
  database: "table.db",
  serviceKey: "service.key",
  /** The key of the digests of invited addresses. */
  addressKey: "address.key",
  /** The sealing key of POS credentials. */
  sealingKey: "sealing.key",
  /** The secrets of the demo's credentials, written when they are issued. */
  demoCredentials: "demo.json",
  /** The number of the format of the data. */
  format: "format",
  /** The stage's URLs and credentials for callers, written when the stage is ready. */
  description: "stage.json",
  /** The variables that the guides' samples read, for a shell. */
  callerVariables: "stage.env",
  /** The log of the current stage's functions. */
  log: "log.jsonl",
  objects: "objects",
  /** Port, endpoint and secret of the receiver of webhooks. */
  receiver: "receiver.json",
  accessLog: "access-log",
  mails: "mails.json",
  /** The keys and sessions of the identity provider. */
  identityProvider: "identity-provider.json",
} as const;

/** The paths of the files of a data directory. */
export const filesIn = (directory: string) =>
  Object.fromEntries(Object.entries(fileNames).map(([file, name]) => [file, join(directory, name)])) as Record<
    keyof typeof fileNames,
    string
  >;

/**
 * The environment variables of the local stage's functions. From the process's own environment they get only the test
 * endpoints and keys of POS systems.
 */
export function functionEnvironment(directory: string, endpoints: Endpoints): NodeJS.ProcessEnv {
  const files = filesIn(directory);
  const testEndpoints = [...Object.values(testEndpointVariables), ...partnerKeys];
  return {
    ...settingsEnvironment("local"),
    [metrcTestEndpointVariable]: endpoints.metrc,
    METRC_VENDOR_KEY_CO: demoMetrcAccess.vendorKey,
    ...Object.fromEntries(testEndpoints.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    TABLE_NAME: tableName,
    SERVICE_KEY_FILE: files.serviceKey,
    ADDRESS_KEY_FILE: files.addressKey,
    SEALING_KEY_FILE: files.sealingKey,
    DOCUMENTS_BUCKET: bucketName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.engine,
    AWS_ENDPOINT_URL_S3: endpoints.objectStore,
    AWS_ENDPOINT_URL_SESV2: endpoints.mailbox,
    DEMO_FILE: files.description,
    APP_URL: `${endpoints.api}/connect`,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    ...Object.fromEntries(
      Object.entries(workQueues).map(([name, { one }]) => [
        `${variableName(one)}_QUEUE_URL`,
        `${endpoints.queues}/000000000000/${name}`,
      ]),
    ),
    ACCESS_LOG_DIRECTORY: directory,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  };
}
