import { DynamoDBClient, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { readStoredFormat, StoredFormatError, storedFormat } from "../../../shared/store/storedFormat.ts";
import { stackName } from "../../stages/stackName.ts";
import { Stacks } from "../release/stacks.ts";
import { findOwnTable } from "../release/stageResources.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/**
 * Reports a table with stored data of another format than that of this release. The own table of a stage whose API was
 * never deployed may lack the number: `release` writes it. The table of a paused stage may still be in restoration, since
 * no function reads it before `npm run resume`, which checks it again.
 */
export async function checkFormat({
  name,
  settings: { aws },
  region,
  isNew,
  paused,
}: PlannedDeployment): Promise<string[]> {
  if (isNew && !aws?.tableName) return [];
  const tableName = aws?.tableName ?? (await findOwnTable(name, region));
  const client = new DynamoDBClient({ region });
  using stacks = new Stacks(region);
  try {
    const found = await readStoredFormat(client, tableName);
    if (found === storedFormat) return [];
    if (found === undefined && !aws?.tableName && !(await stacks.find(stackName(name, "api")))) return [];
    return [new StoredFormatError(tableName, found).message];
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return paused
      ? []
      : [`Table ${tableName} cannot be read in ${region}: wait until it is active, or correct tableName.`];
  } finally {
    client.destroy();
  }
}
