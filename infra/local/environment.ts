import { join } from "node:path";
import { partnerKeys } from "../../shared/pos/partnerKeys.ts";
import { metrcTestEndpointVariable, testEndpointVariables } from "../../shared/pos/testEndpoints.ts";
import { settingsEnvironment } from "../stages/stages.ts";
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
export const engineAccess = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};

/** The file of a data directory that holds the service key. */
export const serviceKeyFile = (directory: string): string => join(directory, "service.key");

/** The file of a data directory that holds the key of the digests of invited addresses. */
export const addressKeyFile = (directory: string): string => join(directory, "address.key");

/** The file with the stage's URLs and credentials for callers. */
export const descriptionFile = (directory: string): string => join(directory, "stage.json");

/** The file of a data directory that holds the variables of the guides, for a shell to read. */
export const callerFile = (directory: string): string => join(directory, "stage.env");

/** The file of a data directory that holds the sealing key of POS credentials. */
export const sealingKeyFile = (directory: string): string => join(directory, "sealing.key");

/**
 * The environment variables of the local stage's functions. From the process's own environment they get only the test
 * endpoints and keys of POS systems.
 */
export function functionEnvironment(directory: string, endpoints: Endpoints): NodeJS.ProcessEnv {
  const testEndpoints = [...Object.values(testEndpointVariables), ...partnerKeys];
  return {
    ...settingsEnvironment("local"),
    [metrcTestEndpointVariable]: endpoints.metrc,
    METRC_VENDOR_KEY_CO: demoMetrcAccess.vendorKey,
    ...Object.fromEntries(testEndpoints.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    TABLE_NAME: tableName,
    SERVICE_KEY_FILE: serviceKeyFile(directory),
    ADDRESS_KEY_FILE: addressKeyFile(directory),
    SEALING_KEY_FILE: sealingKeyFile(directory),
    DOCUMENTS_BUCKET: bucketName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.engine,
    AWS_ENDPOINT_URL_S3: endpoints.objectStore,
    AWS_ENDPOINT_URL_SESV2: endpoints.mailbox,
    DEMO_FILE: descriptionFile(directory),
    APP_URL: `${endpoints.api}/connect`,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    REPLICATION_QUEUE_URL: `${endpoints.queues}/000000000000/replication`,
    // One local worker processes all messages, so retries need no queue of their own.
    RETRY_QUEUE_URL: `${endpoints.queues}/000000000000/replication`,
    RESTORATION_QUEUE_URL: `${endpoints.queues}/000000000000/restorations`,
    INVITATION_QUEUE_URL: `${endpoints.queues}/000000000000/invitations`,
    EXPORT_QUEUE_URL: `${endpoints.queues}/000000000000/exports`,
    STATEMENT_QUEUE_URL: `${endpoints.queues}/000000000000/statements`,
    ACCESS_LOG_DIRECTORY: directory,
    WEBHOOK_QUEUE_URL: `${endpoints.queues}/000000000000/webhooks`,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  };
}
