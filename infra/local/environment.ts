import { join } from "node:path";

/** The one table of the local stage. */
export const tableName = "business-data";

/** Any credentials will do for an engine on this machine; real ones have no business there. */
export const engineAccess = {
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
};

/** The file of a data directory that holds the service key. */
export const serviceKeyFile = (directory: string): string => join(directory, "service.key");

/** The environment variables of the functions in the local stage: sandbox behaviour, its time moving every 15 seconds. */
export function functionEnvironment(directory: string, endpoint: string): NodeJS.ProcessEnv {
  return {
    STAGE: "local",
    TABLE_NAME: tableName,
    SERVICE_KEY_FILE: serviceKeyFile(directory),
    POS_CONNECTORS: "sandbox",
    SANDBOX_TICK_SECONDS: "15",
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: engineAccess.region,
    AWS_ACCESS_KEY_ID: engineAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engineAccess.credentials.secretAccessKey,
  };
}
