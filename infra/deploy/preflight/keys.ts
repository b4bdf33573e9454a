import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { replicatedKeyOutputs } from "../../constructs/replicatedKeys.ts";
import { stackName } from "../../stages/stackName.ts";
import type { CheckedDeployment } from "../plannedDeployment.ts";
import { Stacks } from "../release/stacks.ts";

/**
 * Reports keys of an existing stage that cannot have replicas in the recovery region. KMS cannot convert a key to a
 * multi-region key, and a new key cannot decrypt stored data.
 */
export async function checkKeys({ stage, settings: { aws }, region, isNew }: CheckedDeployment): Promise<string[]> {
  if (!aws?.recoveryRegion || isNew) return [];
  const { outputs = {} } = (await new Stacks(region).find(stackName(stage, "data"))) ?? {};
  const client = new KMSClient({ region });
  const single: string[] = [];
  for (const output of Object.values(replicatedKeyOutputs(aws))) {
    const KeyId = outputs[output];
    if (!KeyId) continue;
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }));
    if (!KeyMetadata?.MultiRegion) single.push(KeyId);
  }
  if (single.length === 0) return [];
  return [
    `Stage ${stage} was created without recoveryRegion, and KMS cannot convert its keys for another region ` +
      `(${single.join(", ")}): remove recoveryRegion from the stage in infra/stages/stages.ts, or move the data to a new stage with recoveryRegion.`,
  ];
}

/**
 * Reports a restored table that is missing, or that no key of the account encrypts although the stage has
 * `customerManagedKey`: a restore chooses the key of the new table.
 */
export async function checkRestoredTable({ stage, settings: { aws }, region }: CheckedDeployment): Promise<string[]> {
  if (!aws?.tableName || !aws.customerManagedKey) return [];
  const { tableName } = aws;
  try {
    const { Table } = await new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName: tableName }));
    const KeyId = Table?.SSEDescription?.KMSMasterKeyArn;
    // AWS's own key of DynamoDB also has an ARN.
    const key = KeyId && (await new KMSClient({ region }).send(new DescribeKeyCommand({ KeyId }))).KeyMetadata;
    if (key && key.KeyManager === "CUSTOMER") return [];
    return [
      `Table ${tableName} of stage ${stage} is not encrypted with a key of the account: run aws dynamodb update-table with --sse-specification (docs/operations/restore.md), and deploy again.`,
    ];
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return [
      `Region ${region} has no table ${tableName}: correct tableName of stage ${stage} in infra/stages/stages.ts.`,
    ];
  }
}
