import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { tableKeys } from "../../../shared/store/schema.ts";
import type { Access } from "./iamPolicy.ts";

type Item = Record<string, AttributeValue>;

interface ItemInput {
  TableName: string;
  Key?: Item;
  Item?: Item;
}

/** The part of a request to DynamoDB that matters for authorization. */
export interface TableRequest extends Partial<ItemInput> {
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
  RequestItems?: Record<string, { Keys: Item[] } | { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>;
  TransactItems?: Partial<Record<"Put" | "Update" | "Delete" | "ConditionCheck" | "Get", ItemInput>>[];
}

/**
 * The accesses that IAM checks for a request to DynamoDB. A batch is one access with the leading keys of all its
 * items. A transaction is one access for each of its items, under the action of a single request.
 *
 * @param operation such as `GetItem`
 * @param tables the beginning of a table's ARN, up to its name
 */
export function tableAccesses(operation: string, request: TableRequest, tables: string): Access[] {
  const access = (action: string, table: string | undefined, keys?: readonly (string | undefined)[]): Access => ({
    action: `dynamodb:${action}`,
    resource: tables + (table ?? ""),
    ...(keys && { context: { "dynamodb:LeadingKeys": keys.map((key) => key ?? "") } }),
  });
  const one = (action: string, { TableName, Key, Item }: Partial<ItemInput>) =>
    access(action, TableName, [leadingKey(Key ?? Item)]);
  switch (operation) {
    case "GetItem":
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
      return [one(operation, request)];
    case "Query": {
      const { TableName, IndexName } = request;
      return [access(operation, IndexName ? `${TableName}/index/${IndexName}` : TableName, [queriedKey(request)])];
    }
    case "BatchGetItem":
    case "BatchWriteItem":
      return Object.entries(request.RequestItems ?? {}).map(([table, items]) =>
        access(
          operation,
          table,
          Array.isArray(items)
            ? items.map(({ PutRequest, DeleteRequest }) => leadingKey(PutRequest?.Item ?? DeleteRequest?.Key))
            : items.Keys.map(leadingKey),
        ),
      );
    case "TransactWriteItems":
    case "TransactGetItems":
      return (request.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([kind, input]) => one(`${kind}Item`, input)),
      );
    default:
      // Such as Scan, for which AWS has no leading keys either.
      return [access(operation, request.TableName)];
  }
}

const leadingKey = (item: Item | undefined): string | undefined => item?.[tableKeys.hash]?.S;

function queriedKey(request: TableRequest): string | undefined {
  const { KeyConditionExpression = "", ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = request;
  for (const [, name = "", value = ""] of KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)) {
    if ((ExpressionAttributeNames[name] ?? name) === tableKeys.hash) return ExpressionAttributeValues[value]?.S;
  }
  return undefined;
}
