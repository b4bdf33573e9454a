import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { Business } from "./data/business.ts";

// The list handler that most services have, as good as its design allows: attribute maps in one partition by update date, one
// document client for all calls, one read of the credential, query until done, slice, JSON.stringify. It has no validation, no
// log and no middleware.

const TableName = "textbook";
const documents = (client: DynamoDBClient) => DynamoDBDocumentClient.from(client);
let warm: DynamoDBDocumentClient | undefined;

/**
 * Lists customers, newest update first.
 * @param options.total false if neither an offset nor an exact total is needed: the handler then stops at the end of the page
 */
export async function listCustomersByTheBook(
  event: APIGatewayProxyEvent,
  options: { total: boolean },
): Promise<APIGatewayProxyResult> {
  warm ??= documents(new DynamoDBClient({}));
  const crbId = event.pathParameters?.crb_id;
  const limit = Number(event.multiValueQueryStringParameters?.limit?.[0] ?? 1_000);
  const offset = Number(event.multiValueQueryStringParameters?.offset?.[0] ?? 0);

  const secret = event.multiValueHeaders.Authorization?.[0];
  const credential = await warm.send(new GetCommand({ TableName, Key: { pk: `KEY#${secret}`, sk: "KEY" } }));
  if (!credential.Item) return { statusCode: 401, body: "{}" };

  const customers: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const answer = await warm.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": `CRB#${crbId}#CUSTOMER` },
        ScanIndexForward: false,
        ...(!options.total && { Limit: offset + limit - customers.length }),
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    customers.push(...(answer.Items ?? []));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey && (options.total || customers.length < offset + limit));

  const data = customers.slice(offset, offset + limit).map(({ pk, sk, ...customer }) => customer);
  const metadata = { total: customers.length, count: `${offset + 1} - ${offset + data.length}` };
  return {
    statusCode: 200,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ metadata, data }),
  };
}

export async function createTextbookTable(client: DynamoDBClient): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

/** Stores the credential of a business, and the given number of its customers. */
export async function fillTextbook(
  client: DynamoDBClient,
  { crbId, secret }: Business,
  records: number,
  recordOf: (index: number) => Record<string, unknown>,
): Promise<void> {
  const store = documents(client);
  await store.send(new PutCommand({ TableName, Item: { pk: `KEY#${secret}`, sk: "KEY" } }));
  const putBatch = async (first: number) => {
    const puts = Array.from({ length: Math.max(0, Math.min(25, records - first)) }, (_, i) => {
      const record = recordOf(first + i);
      return {
        PutRequest: { Item: { pk: `CRB#${crbId}#CUSTOMER`, sk: `${record.pos_updated_date}#${record.id}`, ...record } },
      };
    });
    if (puts.length > 0) await store.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  };
  for (let first = 0; first < records; first += 100) {
    await Promise.all([0, 25, 50, 75].map((batch) => putBatch(first + batch)));
  }
}
