import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";

// The minimum of a function that reads an item: it imports only the client of DynamoDB.
const client = new DynamoDBClient({});

export const handler = async ({ pk, sk }: { pk: string; sk: string }) => {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key }));
  return Item;
};
