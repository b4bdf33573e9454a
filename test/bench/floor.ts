import {
  type AttributeValue,
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  type KeysAndAttributes,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import type { Table } from "../../shared/store/client.ts";
import { associationKey } from "../../shared/store/keys/crbs.ts";
import { credentialKey } from "../../shared/store/keys/credentials.ts";
import type { Key } from "../../shared/store/keys/key.ts";
import type { ListOrder, OrderedList } from "../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../shared/store/keys/positions.ts";
import { withRawText } from "../../shared/store/recordText.ts";
import { tableIndexes } from "../../shared/store/schema.ts";
import type { Business } from "./data/business.ts";

// The least work of any handler: the read of the authorization, and then calls of the bare SDK that fetch the items of the
// response. All calls are sent at once, since the keys are known beforehand. The texts are joined one after the other.

type Body = Record<string, AttributeValue>;

/** The positions of a page in its list, newest first. A handler has to find them out. */
export async function ranksOf(
  table: Table,
  list: OrderedList,
  first: number,
  last: number,
  { index }: ListOrder = list.orders.rank,
): Promise<string[]> {
  const rank = tableIndexes[index];
  const ranks: string[] = [];
  let ExclusiveStartKey: Body | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: index,
        KeyConditionExpression: "pk = :pk AND #rank > :first",
        ExpressionAttributeNames: { "#rank": rank },
        ExpressionAttributeValues: { ":pk": { S: list.pk }, ":first": { S: formatPosition("0000-00-00", 0) } },
        ProjectionExpression: "#rank",
        ScanIndexForward: false,
        Limit: last - ranks.length,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    ranks.push(...(answer.Items ?? []).map((item) => item[rank]?.S ?? ""));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey && ranks.length < last);
  return ranks.slice(first, last);
}

export class Floor {
  readonly client = new DynamoDBClient({});
  readonly #table: string;
  readonly #authorization: readonly Key[];

  /** @param business its service provider is the caller */
  constructor(table: Table, { clientId, spId, crbId }: Pick<Business, "clientId" | "spId" | "crbId">) {
    this.#table = table.name;
    this.#authorization = [credentialKey(clientId), associationKey(spId, crbId)];
  }

  /** A page of a list, in as many parallel queries as are fastest for its size. */
  async page(list: OrderedList, ranks: readonly string[], order: ListOrder = list.orders.rank): Promise<string> {
    await this.#authorize();
    return concatenated(list.pk, await this.#query(list, ranks, order));
  }

  /** A page and further items, read at the same time. */
  async pageAnd(list: OrderedList, ranks: readonly string[], keys: readonly Key[]): Promise<string> {
    await this.#authorize();
    const groups = Array.from({ length: Math.ceil(keys.length / 100) }, (_, i) => keys.slice(i * 100, i * 100 + 100));
    const parts = await Promise.all([
      this.#query(list, ranks, list.orders.rank),
      ...groups.map((group) => this.#batchGet(group, { ProjectionExpression: "body" })),
    ]);
    return concatenated(list.pk, parts.flat());
  }

  /** One item. */
  async record(key: Key): Promise<string> {
    await this.#authorize();
    const { Item } = await this.client.send(
      new GetItemCommand({ TableName: this.#table, Key: wire(key), ProjectionExpression: "body" }),
    );
    return concatenated(key.pk, Item ? [Item] : []);
  }

  /** Handlers read nothing before access is granted (docs/spec.md#rejected-requests). */
  async #authorize(): Promise<void> {
    const found = await this.#batchGet(this.#authorization, { ConsistentRead: true });
    if (found.length !== this.#authorization.length) throw new Error("the floor's caller has no access");
  }

  async #query(list: OrderedList, ranks: readonly string[], { index }: ListOrder): Promise<Body[]> {
    const size = 250;
    const parts = Array.from({ length: Math.ceil(ranks.length / size) }, (_, i) =>
      ranks.slice(i * size, (i + 1) * size),
    );
    const answers = await Promise.all(
      parts.map((part) =>
        this.client.send(
          new QueryCommand({
            TableName: this.#table,
            IndexName: index,
            KeyConditionExpression: "pk = :pk AND #rank BETWEEN :last AND :first",
            ExpressionAttributeNames: { "#rank": tableIndexes[index] },
            ExpressionAttributeValues: {
              ":pk": { S: list.pk },
              ":first": { S: part[0] ?? "" },
              ":last": { S: part.at(-1) ?? "" },
            },
            ProjectionExpression: "body",
            ScanIndexForward: false,
          }),
        ),
      ),
    );
    return answers.flatMap(({ Items, LastEvaluatedKey }) => {
      if (LastEvaluatedKey) throw new Error("a part of the floor's page is too big for one query");
      return Items ?? [];
    });
  }

  async #batchGet(
    keys: readonly Key[],
    options: Pick<KeysAndAttributes, "ConsistentRead" | "ProjectionExpression">,
  ): Promise<Body[]> {
    const { Responses } = await this.client.send(
      new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys: keys.map(wire), ...options } } }),
    );
    return Responses?.[this.#table] ?? [];
  }
}

const wire = ({ pk, sk }: Key): Body => ({ pk: { S: pk }, sk: { S: sk } });

/** @param pk the partition of one of the lists: without it, no text is decompressed */
const concatenated = (pk: string, items: readonly Body[]): string => {
  const texts = items.map((item) => withRawText(item, { pk }).body?.S);
  if (texts.includes(undefined)) throw new Error("the floor has not decompressed a text");
  return `{"data":[${texts.join()}]}`;
};
