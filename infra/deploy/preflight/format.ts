import { DynamoDBClient, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { readStoredFormat, StoredFormatError, storedFormat } from "../../../shared/store/storedFormat.ts";
import { stackName } from "../../stages/stackName.ts";
import type { CheckedDeployment } from "../plannedDeployment.ts";
import { Stacks } from "../release/stacks.ts";
import { findOwnTable } from "../release/stageResources.ts";

/**
 * Reports a table with stored data of another format than that of this release. The own table of a stage whose API was
 * never deployed may lack the number: `release` writes it. The table of a paused stage may still be in restoration, since
 * no function reads it before `npm run resume`, which checks it again.
 */
export async function checkFormat(planned: CheckedDeployment): Promise<string[]> {
  const { stage, settings, region, isNew, paused } = planned;
  const { aws } = settings;
  if (isNew && !aws?.tableName) return [];
  const tableName = aws?.tableName ?? (await findOwnTable(stage, region));
  try {
    const found = await readStoredFormat(new DynamoDBClient({ region }), tableName);
    if (found === storedFormat) return [];
    const isOwn = found === undefined && !aws?.tableName;
    if (isOwn && !(await new Stacks(region).find(stackName(stage, "api")))) return [];
    return [new StoredFormatError(tableName, found).message];
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return paused
      ? []
      : [`Table ${tableName} cannot be read in ${region}: wait until it is active, or correct tableName.`];
  }
}
