import type { RawItem, Table } from "../client.ts";
import { lastSlot, parseRank, type RankedList, type RankOrder, rankOf } from "../keys.ts";
import { tableIndexes } from "../schema.ts";
import { type PagePart, slotsOfPart } from "./pagePlan.ts";

/** Records that one query is to find. DynamoDB answers at most 1 MB a query, so a big page is read in parallel parts. */
export const recordsPerQuery = 250;
/** Enough for queries to get about the same number each. */
const spansPerQuery = 2;

/** What is read of a list. */
export interface Reading {
  table: Table;
  list: RankedList;
  order: RankOrder;
  /** What to return of each item. */
  attributes: readonly string[];
  /** How many items one query is to find, where they are smaller than records. */
  perQuery?: number;
  /** About so many bytes of it are enough: the newest of what was asked for is then left out. */
  enoughBytes?: number;
}

/** What stands at a slot. */
interface InSlot {
  day: string;
  slot: number;
  item: RawItem;
}

/** Slots of a day, from the highest to the lowest, of which those in `only` are wanted; all where it is absent. */
interface Span {
  day: string;
  high: number;
  low: number;
  records: number;
  only?: ReadonlySet<number>;
}

/**
 * Reads what the index shows in the slots of some parts, newest first.
 *
 * @param parts newest first
 * @param exact the slots of parts that do not cover all slots of their day, by day
 */
export async function readSlots(
  reading: Reading,
  parts: readonly PagePart[],
  exact: ReadonlyMap<string, readonly number[]>,
): Promise<InSlot[]> {
  const { perQuery = recordsPerQuery, enoughBytes = Number.POSITIVE_INFINITY } = reading;
  const spans = parts.flatMap((part) => spansOf(part, exact.get(part.day), perQuery / spansPerQuery));
  const groups = groupsOf(spans, perQuery);
  const bytes = groups.map(() => 0);
  // Each group counts what those have read that are older than it; without them it is of no use.
  const isEnough = (group: number, more: number) => {
    bytes[group] = (bytes[group] ?? 0) + more;
    return bytes.slice(group).reduce((sum, some) => sum + some, 0) > enoughBytes;
  };
  const found = groups.map((spans, group) => itemsAt(reading, spans, (more) => isEnough(group, more)));
  return (await Promise.all(found)).flat();
}

function spansOf(part: PagePart, exact: readonly number[] | undefined, most: number): Span[] {
  const { day, counts, take } = part;
  if (!exact && counts.live < counts.next) return [{ day, high: counts.next - 1, low: 0, records: take }];
  const slots = slotsOfPart(part, exact);
  const spans: Span[] = [];
  for (let i = 0; i < slots.length; i += most) {
    const some = slots.slice(i, i + most);
    spans.push({ day, high: some[0] ?? 0, low: some.at(-1) ?? 0, records: some.length, only: new Set(some) });
  }
  return spans;
}

/** Spans that one query reads together; all find about as many records, since they are waited for together. */
function groupsOf(spans: readonly Span[], perQuery: number): Span[][] {
  const total = spans.reduce((sum, { records }) => sum + records, 0);
  const share = total / Math.ceil(total / perQuery);
  const groups: Span[][] = [];
  let records = share;
  for (const span of spans) {
    if (records >= share) {
      groups.push([]);
      records = 0;
    }
    groups.at(-1)?.push(span);
    records += span.records;
  }
  return groups;
}

/** Reads the items at the places of some spans, until it is enough; in the order of the list. */
async function itemsAt(
  { table, list, order, attributes }: Reading,
  spans: readonly Span[],
  isEnough: (more: number) => boolean,
): Promise<InSlot[]> {
  const rankAttribute = tableIndexes[order.index];
  const names = [...new Set([rankAttribute, ...attributes])];
  const [first, last] = [spans[0], spans.at(-1)];
  const items = table.queryParts({
    IndexName: order.index,
    KeyConditionExpression: "pk = :pk AND #0 BETWEEN :last AND :first",
    ProjectionExpression: names.map((_, i) => `#${i}`).join(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
    ExpressionAttributeValues: {
      ":pk": { S: list.pk },
      ":first": { S: rankOf(first?.day ?? "", first?.high ?? lastSlot) },
      ":last": { S: rankOf(last?.day ?? "", last?.low ?? 0) },
    },
  });
  const ofDay = Map.groupBy(spans, ({ day }) => day);
  const found: InSlot[] = [];
  for await (const part of items) {
    const wanted = part.flatMap((item) => {
      const { day, slot } = parseRank(item[rankAttribute]?.S ?? "");
      const isWanted = ofDay
        .get(day)
        ?.some(({ high, low, only }) => slot <= high && slot >= low && (only?.has(slot) ?? true));
      return isWanted ? [{ day, slot, item }] : [];
    });
    found.push(...wanted);
    if (isEnough(wanted.reduce((sum, { item }) => sum + bytesOf(item, attributes), 0))) break;
  }
  return found.reverse();
}

const bytesOf = (item: RawItem, attributes: readonly string[]): number =>
  attributes.reduce((sum, name) => sum + (item[name]?.S?.length ?? 0), 0);
