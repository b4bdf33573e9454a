import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { serviceTable, Table } from "../../shared/table/client.ts";
import { type Endpoints, engineAccess, tableName } from "../local/environment.ts";
import { StageError } from "../local/stageError.ts";
import { runningEndpoints } from "../local/stageLock.ts";

/** The stage that a program of the operator works on. */
export interface Target {
  table: Table;
  /** The data directory and the services of a local stage; absent for a deployed one. */
  local?: { data: string; endpoints: Endpoints };
  close(): void;
}

/**
 * Opens the local stage that runs on a data directory, or a deployed stage, whose names come from the environment:
 * TABLE_NAME, and what the AWS SDK itself reads (region, credentials).
 *
 * @throws StageError when the local stage does not run, or a name is missing
 */
export function openTarget({ stage, data }: { stage: string; data: string }): Target {
  if (stage !== "local") {
    if (!process.env.TABLE_NAME) {
      throw new StageError(
        `Set TABLE_NAME (and AWS_REGION) to the names of stage ${stage}: they come from the environment.`,
      );
    }
    return { table: serviceTable(), close: () => undefined };
  }
  const endpoints = runningEndpoints(data);
  if (!endpoints) throw new StageError(`No local stage runs on ${data}: start one with npm start.`);
  const client = new DynamoDBClient({ endpoint: endpoints.engine, ...engineAccess });
  return { table: new Table(tableName, client), local: { data, endpoints }, close: () => client.destroy() };
}
