import type { Table } from "../client.ts";
import { lastSlot, parseRank, type RankedList, type RankOrder, rankOf } from "../keys.ts";
import { tableIndexes } from "../schema.ts";
import { type PagePart, slotsOfPart } from "./pagePlan.ts";

/** Records that one query is to find. DynamoDB answers at most 1 MB a query, so a big page is read in parallel parts. */
export const recordsPerQuery = 250;
/** Small enough for queries to get about the same number each. */
const recordsPerSpan = 125;

/** What is read of a list. */
export interface Reading {
  table: Table;
  list: RankedList;
  order: RankOrder;
  /** What to return of each item. */
  attribute: string;
  /** About so many bytes of it are enough: the newest of what was asked for is then left out. */
  enoughBytes?: number;
}

/** What stands at a slot. */
interface InSlot {
  day: string;
  slot: number;
  value: string;
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
  const groups = groupsOf(parts.flatMap((part) => spansOf(part, exact.get(part.day))));
  const bytes = groups.map(() => 0);
  // Each group counts what those have read that are older than it; without them it is of no use.
  const isEnough = (group: number, more: number) => {
    bytes[group] = (bytes[group] ?? 0) + more;
    return bytes.slice(group).reduce((sum, some) => sum + some, 0) > (reading.enoughBytes ?? Number.POSITIVE_INFINITY);
  };
  const found = groups.map((spans, group) => valuesAt(reading, spans, (more) => isEnough(group, more)));
  return (await Promise.all(found)).flat();
}

function spansOf(part: PagePart, exact: readonly number[] | undefined): Span[] {
  const { day, counts, take } = part;
  if (!exact && counts.live < counts.next) return [{ day, high: counts.next - 1, low: 0, records: take }];
  const slots = slotsOfPart(part, exact);
  const spans: Span[] = [];
  for (let i = 0; i < slots.length; i += recordsPerSpan) {
    const some = slots.slice(i, i + recordsPerSpan);
    spans.push({ day, high: some[0] ?? 0, low: some.at(-1) ?? 0, records: some.length, only: new Set(some) });
  }
  return spans;
}

/** Spans that one query reads together; all find about as many records, since they are waited for together. */
function groupsOf(spans: readonly Span[]): Span[][] {
  const total = spans.reduce((sum, { records }) => sum + records, 0);
  const share = total / Math.ceil(total / recordsPerQuery);
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

/** Reads one attribute of the items at the places of some spans, until it is enough; in the order of the list. */
async function valuesAt(
  { table, list, order, attribute }: Reading,
  spans: readonly Span[],
  isEnough: (more: number) => boolean,
): Promise<InSlot[]> {
  const rankAttribute = tableIndexes[order.index];
  const [first, last] = [spans[0], spans.at(-1)];
  const items = table.queryParts({
    IndexName: order.index,
    KeyConditionExpression: "pk = :pk AND #rank BETWEEN :last AND :first",
    ProjectionExpression: "#rank, #attribute",
    ExpressionAttributeNames: { "#rank": rankAttribute, "#attribute": attribute },
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
      return isWanted ? [{ day, slot, value: item[attribute]?.S ?? "" }] : [];
    });
    found.push(...wanted);
    if (isEnough(wanted.reduce((sum, { value }) => sum + value.length, 0))) break;
  }
  return found.reverse();
}
