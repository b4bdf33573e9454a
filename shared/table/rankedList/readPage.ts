import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../client.ts";
import { type RankedList, type RankOrder, rankOf } from "../keys.ts";
import { tableIndexes } from "../schema.ts";
import { defaultChapterSize } from "./directory.ts";
import { chapterId, loadDirectories, loadEmptySlots } from "./directoryItems.ts";
import { type PagePart, type PageWindow, planPage, slotsOfPart } from "./pagePlan.ts";

/** A page of a list: how many records the window holds in all, and the page's records as JSON texts, in order. */
export interface Page {
  total: number;
  records: string[];
}

/** Slots that one query covers. DynamoDB answers at most 1 MB a query, so a big page is read in parallel parts. */
const slotsPerQuery = 250;

/** Tries to see a directory and the bitmaps it counts in the same state, while a writer keeps changing both. */
const consistentTries = 8;

/**
 * Reads one page of a ranked list, at a cost that depends on the page alone, not on its offset (contract 4.1).
 *
 * Two reads one after the other, three where the page's chapters have empty slots. A record that changes between the
 * reads may be absent from the page; one that does not change is never shifted by it.
 *
 * @param options.attribute what to return of each item; the record's text when absent
 * @throws ServiceError "unavailable" when writers keep the list from being seen in one state
 */
export async function readPage(
  table: Table,
  list: RankedList,
  window: PageWindow,
  options: { order?: keyof RankedList["orders"]; attribute?: "body" | "sk"; chapterSize?: number } = {},
): Promise<Page> {
  const order = list.orders[options.order ?? "rank"];
  if (!order) throw new Error(`${list.pk} is not kept by ${options.order}`);
  const { total, ranks } = await ranksOfPage(table, order, window, options.chapterSize ?? defaultChapterSize);
  const attribute = options.attribute ?? "body";
  const parts: string[][] = [];
  for (let first = 0; first < ranks.length; first += slotsPerQuery) {
    parts.push(ranks.slice(first, first + slotsPerQuery));
  }
  const records = await Promise.all(parts.map((part) => valuesAt(table, list, order, part, attribute)));
  return { total, records: records.flat() };
}

/** The ranks that a page covers, newest first, counted on one state of directory and bitmaps. */
async function ranksOfPage(
  table: Table,
  order: RankOrder,
  window: PageWindow,
  chapterSize: number,
): Promise<{ total: number; ranks: string[] }> {
  for (let attempt = 0; attempt < consistentTries; attempt++) {
    const { total, parts } = planPage(await loadDirectories(table, order, window), window, chapterSize);
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
