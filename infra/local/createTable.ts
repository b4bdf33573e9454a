import { CreateTableCommand, type DynamoDBClient, ResourceInUseException } from "@aws-sdk/client-dynamodb";
import { tableIndexes, tableKeys } from "../../shared/store/schema.ts";

const hashKey = { AttributeName: tableKeys.hash, KeyType: "HASH" } as const;

/** Creates the service's table on a local engine. An existing table stays unchanged. */
export async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  const attributes = [tableKeys.hash, tableKeys.range, ...Object.values(tableIndexes)];
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: attributes.map((attribute) => ({ AttributeName: attribute, AttributeType: "S" })),
        KeySchema: [hashKey, { AttributeName: tableKeys.range, KeyType: "RANGE" }],
        GlobalSecondaryIndexes: Object.entries(tableIndexes).map(([index, range]) => ({
          IndexName: index,
          KeySchema: [hashKey, { AttributeName: range, KeyType: "RANGE" }],
          Projection: { ProjectionType: "ALL" },
        })),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}
