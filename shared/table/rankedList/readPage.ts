import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../client.ts";
import { type RankedList, type RankOrder, rankOf } from "../keys.ts";
import { tableIndexes } from "../schema.ts";
import { type Directory, defaultChapterSize } from "./directory.ts";
import { chapterId, loadDirectories, loadEmptySlots } from "./directoryItems.ts";
import { type ListState, stateOf } from "./listState.ts";
import { type PagePart, type PageWindow, planPage, slotsOfPart } from "./pagePlan.ts";

/** A page of a list: how many records the window holds in all, and the page's records as JSON texts, in order. */
export interface Page {
  total: number;
  records: string[];
}

/** A page of which so much is read as tells whether it has changed; the rest is read when it is wanted. */
export interface OpenPage {
  state: ListState;
  read(): Promise<Page>;
}

/** Slots that one query covers. DynamoDB answers at most 1 MB a query, so a big page is read in parallel parts. */
const slotsPerQuery = 250;

/** Tries to see a directory and the bitmaps it counts in the same state, while a writer keeps changing both. */
const consistentTries = 8;

interface PageOptions {
  order?: keyof RankedList["orders"];
  /** What to return of each item; the record's text when absent. */
  attribute?: "body" | "sk";
  chapterSize?: number;
}

/**
 * Begins to read one page of a ranked list, at a cost that depends on the page alone, not on its offset (contract 4.1):
 * reads the directory. Its `read` goes on with the records.
 *
 * Two reads one after the other, three where the page's chapters have empty slots. A record that changes between the
 * reads may be absent from the page; one that does not change is never shifted by it.
 *
 * @throws ServiceError "unavailable" (`read` too) when writers keep the list from being seen in one state
 */
export async function openPage(
  table: Table,
  list: RankedList,
  window: PageWindow,
  options: PageOptions = {},
): Promise<OpenPage> {
  const { order: orderName = "rank", attribute = "body", chapterSize = defaultChapterSize } = options;
  const order = list.orders[orderName];
  if (!order) throw new Error(`${list.pk} is not kept by ${orderName}`);
  const directories = await loadDirectories(table, order, window);
  const read = async () => {
    const { total, ranks } = await ranksOfPage(table, order, window, chapterSize, directories);
    const parts: string[][] = [];
    for (let first = 0; first < ranks.length; first += slotsPerQuery) {
      parts.push(ranks.slice(first, first + slotsPerQuery));
    }
    const records = await Promise.all(parts.map((part) => valuesAt(table, list, order, part, attribute)));
    return { total, records: records.flat() };
  };
  return { state: stateOf(order, directories), read };
}

/** Reads one page of a ranked list to its end: `openPage` where nobody asks whether it has changed. */
export async function readPage(...page: Parameters<typeof openPage>): Promise<Page> {
  return (await openPage(...page)).read();
}

/**
 * The ranks that a page covers, newest first, counted on one state of directory and bitmaps.
 *
 * @param directories as they were read already; read again when bitmaps show that they have changed
 */
async function ranksOfPage(
  table: Table,
  order: RankOrder,
  window: PageWindow,
  chapterSize: number,
  directories: readonly Directory[],
): Promise<{ total: number; ranks: string[] }> {
  for (let attempt = 0; attempt < consistentTries; attempt++) {
    const known = attempt === 0 ? directories : await loadDirectories(table, order, window);
    const { total, parts } = planPage(known, window, chapterSize);
    const sparse = parts.filter((part) => part.empty > 0);
    const emptySlots = sparse.length
      ? await loadEmptySlots(table, order, sparse, { consistent: attempt > 0 })
      : new Map();
    // Within a chapter empty slots only ever grow in number, so an equal count means an equal state.
    if (sparse.every((part) => emptySlots.get(chapterId(part))?.count() === part.empty)) {
      const ranks = parts.flatMap((part: PagePart) =>
        slotsOfPart(part, emptySlots.get(chapterId(part)), chapterSize).map((slot) => rankOf(part.day, slot)),
      );
      return { total, ranks };
    }
  }
  throw new ServiceError("unavailable");
}

/** Reads one attribute of the items at the given ranks (newest first, one range of the order), in their order. */
async function valuesAt(
  table: Table,
  list: RankedList,
  order: RankOrder,
  ranks: readonly string[],
  attribute: string,
): Promise<string[]> {
  const rankAttribute = tableIndexes[order.index];
  const places = new Map(ranks.map((rank, place) => [rank, place]));
  const items = await table.queryRaw({
    IndexName: order.index,
    KeyConditionExpression: "pk = :pk AND #rank BETWEEN :last AND :first",
    ProjectionExpression: "#rank, #attribute",
    ExpressionAttributeNames: { "#rank": rankAttribute, "#attribute": attribute },
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":first": { S: ranks[0] ?? "" },
      ":last": { S: ranks.at(-1) ?? "" },
    },
  });
  const values = new Array<string | undefined>(ranks.length);
  for (const item of items) {
    const place = places.get(item[rankAttribute]?.S ?? "");
    if (place !== undefined) values[place] = item[attribute]?.S;
  }
  return values.filter((value) => value !== undefined);
}
