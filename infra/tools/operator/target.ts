import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { accessFiles } from "../../../shared/domain/accessLog/accessFiles.ts";
import type { AccessLogStore } from "../../../shared/domain/accessLog/accessLines.ts";
import { accessObjects } from "../../../shared/domain/accessLog/accessObjects.ts";
import { type Bucket, bucketOf, serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import type { Intervals } from "../../../shared/domain/replication/replicationIntervals.ts";
import { serviceTable, Table } from "../../../shared/store/client.ts";
import { checkStoredFormat, StoredFormatError } from "../../../shared/store/storedFormat.ts";
import { StageError } from "../../cli/stageError.ts";
import { bucketName, type Endpoints, engineAccess, functionEnvironment, tableName } from "../../local/environment.ts";
import { noStage, runningEndpoints } from "../../local/stageLock.ts";
import { type StageName, type StageSettings, stages } from "../../stages/stages.ts";

/** The stage that a program of the operator works on. */
export interface Target {
  stage: StageName;
  table: Table;
  /** The store of documents. @throws StageError if the environment does not name the bucket of a deployed stage */
  documents(): Bucket;
  /** The access log. @throws StageError if the environment does not name the bucket of a deployed stage */
  accessLog(): AccessLogStore;
  /**
   * The AWS identity of the person who runs the program, as an ARN; `local` on a local stage.
   *
   * @throws StageError if AWS does not confirm an identity
   */
  personArn(): Promise<string>;
  /** Seconds between replications of a kind of records. */
  intervals: Intervals;
  /** Days between the end of a CRB's association and the purge of its remaining data. */
  retentionDays: number;
  /**
   * Puts the variables of the stage's functions into process.env, from which shared code reads them. Those of a deployed stage
   * are there already.
   *
   * @param needed a variable that a deployed stage must have
   * @throws StageError if it is not set
   */
  provide(needed: string): void;
  /** The data directory and the services of a local stage; absent for a deployed one. */
  local?: { data: string; endpoints: Endpoints };
  close(): void;
}

/** The stages that have a table. */
const known = (Object.keys(stages) as StageName[]).filter(
  (name) => (stages[name] as StageSettings).answers === "service",
);

/**
 * Opens the local stage of a data directory, or a deployed stage. The environment names the deployed stage's resources:
 * STAGE, TABLE_NAME, and the AWS SDK's own variables (region, credentials).
 *
 * @throws StageError if there is no such stage, the local one does not run, or the environment is for another stage
 */
export function openTarget({ stage, data }: { stage: string; data: string }): Target {
  if (!known.some((name) => name === stage)) {
    throw new StageError(`--stage must be one of ${known.join(", ")}, not "${stage}".`);
  }
  const { STAGE } = process.env;
  if (STAGE !== stage && (STAGE || stage !== "local")) {
    const present = STAGE ? `belongs to stage ${STAGE}` : "names no stage";
    throw new StageError(
      stage === "local"
        ? `The environment ${present}: add --stage ${STAGE}, or unset STAGE to work on the local stage.`
        : `The environment ${present}: to work on stage ${stage}, read its settings first (set -a; . .deployed/${stage}.env; set +a).`,
    );
  }
  const { retentionDays, replicateEverySeconds: intervals } = stages[stage as StageName];
  if (stage !== "local") {
    requireVariable(stage, "TABLE_NAME");
    return {
      ...{ stage: stage as StageName, intervals, retentionDays, personArn },
      table: serviceTable(),
      documents: () => {
        requireVariable(stage, "DOCUMENTS_BUCKET");
        return serviceBucket();
      },
      accessLog: () =>
        accessObjects(bucketOf(requireVariable(stage, "ACCESS_LOG_BUCKET")), (message) => new StageError(message)),
      provide: (needed) => void requireVariable(stage, needed),
      close: () => undefined,
    };
  }
  const endpoints = runningEndpoints(data);
  if (!endpoints) throw noStage(data);
  const client = new DynamoDBClient({ endpoint: endpoints.engine, ...engineAccess });
  const documents = bucketOf(bucketName, { endpoint: endpoints.objectStore, ...engineAccess });
  return {
    stage: "local",
    table: new Table(tableName, client),
    documents: () => documents,
    accessLog: () => accessFiles(data),
    personArn: async () => "local",
    provide: () => void Object.assign(process.env, functionEnvironment(data, endpoints)),
    ...{ intervals, retentionDays },
    local: { data, endpoints },
    close: () => {
      client.destroy();
      documents.client.destroy();
    },
  };
}

/**
 * Reads a variable of a deployed stage.
 *
 * @throws StageError if it is not set
 */
export function requireVariable(stage: string, name: string): string {
  const value = process.env[name];
  if (!value)
    throw new StageError(`Set ${name}: npm run stage-env -- --stage ${stage} writes it to .deployed/${stage}.env.`);
  return value;
}

/**
 * A program must call this before it works on the records of a stage.
 *
 * @throws StageError if the table has stored data of another format than this program's
 */
export async function requireStoredFormat({ table, personArn }: Target): Promise<void> {
  try {
    await checkStoredFormat(table.client, table.name);
  } catch (error) {
    if (error instanceof StoredFormatError) throw new StageError(error.message);
    // Without a sign-in to AWS, this says what to do.
    await personArn();
    throw error;
  }
}

/** @throws StageError if AWS does not confirm an identity */
async function personArn(): Promise<string> {
  try {
    const { Arn } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
    if (Arn) return Arn;
  } catch (error) {
    throw new StageError(
      `AWS does not say who runs the command (${(error as Error).name}), so it did not run: sign in to AWS, and set AWS_REGION.`,
    );
  }
  throw new StageError("AWS does not say who runs the command, so it did not run: sign in to AWS.");
}
