import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { log } from "../platform/aws/log.ts";
import { storedFormatKey } from "./keys/storedFormat.ts";

/**
 * The number of the form of all stored data, in the table and in the bucket. Raise it with each change after which the
 * release before cannot read or correctly change the data, or this release cannot read the older data: another dictionary
 * of texts, form of a key, position or day index, key of a digest. An attribute that the release before ignores and keeps
 * needs no new number. A new number needs a migration (docs/operations/releases.md#stored-format).
 */
export const storedFormat = 1;

/** The table has another format than this code, so this code must neither read nor write its data. */
export class StoredFormatError extends Error {
  override readonly name = "StoredFormatError";

  /** @param found the format number of the table; undefined if it has none */
  constructor(tableName: string, found: number | undefined) {
    const cause =
      found === undefined
        ? "has no format number"
        : `has stored data of format ${found}, and this release works on format ${storedFormat}`;
    const remedy = found === undefined ? "check that it is the table of the stage" : `use a release of format ${found}`;
    super(`Table ${tableName} ${cause}: ${remedy} (docs/operations/releases.md#stored-format).`);
  }
}

const wireKey = { pk: { S: storedFormatKey.pk }, sk: { S: storedFormatKey.sk } };

/** Returns the format number of a table; undefined if it has none. */
export async function readStoredFormat(client: DynamoDBClient, tableName: string): Promise<number | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key: wireKey, ConsistentRead: true }));
  return Item && Number(Item.format?.N);
}

/**
 * Gives a table without a format number that of this code. Only its creator may call it, before a function works on it.
 *
 * @throws StoredFormatError if the table has another number
 */
export async function claimStoredFormat(client: DynamoDBClient, tableName: string): Promise<void> {
  const Item = { ...wireKey, format: { N: String(storedFormat) } };
  const claim = new PutItemCommand({ TableName: tableName, Item, ConditionExpression: "attribute_not_exists(pk)" });
  try {
    await client.send(claim);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    await checkStoredFormat(client, tableName);
  }
}

/** @throws StoredFormatError if the table has another format number than this code, or none */
export async function checkStoredFormat(client: DynamoDBClient, tableName: string): Promise<void> {
  const found = await readStoredFormat(client, tableName);
  if (found !== storedFormat) throw new StoredFormatError(tableName, found);
}

const reads = new Set(["GetItem", "BatchGetItem", "TransactGetItems", "Query"]);
const writes = new Set(["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]);

/**
 * Makes a client return no data of a table of another format, and send no write to it. The first call of a process also
 * reads the format number, in parallel with reads, and before writes; after a failure the next one. A failing call throws
 * ServiceError "unavailable" (503), and the log says why.
 */
export function guardStoredFormat(client: DynamoDBClient, tableName: string): void {
  let isKnown = false;
  let pending: Promise<void> | undefined;
  const check = async () => {
    try {
      await checkStoredFormat(client, tableName);
      isKnown = true;
    } catch (error) {
      if (!(error instanceof StoredFormatError)) throw error;
      log.error("stored data has another format", { reason: error.message });
      throw new ServiceError("unavailable", { cause: error });
    } finally {
      pending = undefined;
    }
  };
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const command = String(context.commandName).replace(/Command$/, "");
      const isWrite = writes.has(command);
      const isOwn = "Key" in request.input && request.input.Key === wireKey;
      if (isKnown || isOwn || !(isWrite || reads.has(command))) return next(request);
      pending ??= check();
      if (isWrite) await pending;
      const [result] = await Promise.all([next(request), pending]);
      return result;
    },
    { step: "initialize", name: "storedFormat", override: true },
  );
}
