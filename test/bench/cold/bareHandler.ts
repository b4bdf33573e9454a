import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";

// What a function that reads an item cannot do without: nothing but the client of DynamoDB.
const client = new DynamoDBClient({});

export const handler = async ({ pk, sk }: { pk: string; sk: string }) => {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key }));
  return Item;
};
