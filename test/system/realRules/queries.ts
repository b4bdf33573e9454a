import type { QueryCommandInput, QueryCommandOutput } from "@aws-sdk/client-dynamodb";
import type { RawItem } from "../../../shared/store/client.ts";
import type { Strand } from "./actors.ts";
import { throttled } from "./errors.ts";
import { projected, type Range, rangeOf, whole } from "./expressions.ts";
import type { Figures } from "./figures.ts";
import { partitionOf, type Send } from "./items.ts";
import type { Scheduler } from "./scheduler.ts";
import { bytesOf, readUnitsOf, type Throughput } from "./throughput.ts";
import { nodes, type Versions } from "./versions.ts";

const megabyte = 2 ** 20;
const maxParts = 3;

/** Queries answered by lagging nodes and indexes while others write. */
export class Queries {
  readonly #figures: Figures;
  readonly #scheduler: Scheduler;
  readonly #versions: Versions;
  readonly #throughput: Throughput;

  constructor(figures: Figures, scheduler: Scheduler, versions: Versions, throughput: Throughput) {
    this.#figures = figures;
    this.#scheduler = scheduler;
    this.#versions = versions;
    this.#throughput = throughput;
  }

  /** Reads a range in order, each item in its state when the read reaches it. */
  async query(strand: Strand, input: QueryCommandInput, send: Send) {
    const { chance } = strand;
    const { TableName: table = "", IndexName, ConsistentRead = false, Limit = Number.POSITIVE_INFINITY } = input;
    const range = rangeOf(input);
    const copy = IndexName ?? (ConsistentRead ? "leader" : chance.pick(nodes));
    const partition = [partitionOf({ table, pk: range.pk, sk: "" }), ...(IndexName ? [IndexName] : [])].join(" ");
    if (this.#throughput.rejectReads([partition], chance).some(Boolean)) throw throttled(chance);
    const items: RawItem[] = [];
    const isTorn = this.#figures.tornReads && this.#scheduler.hasCompany;
    let part = await this.#part(input, range, copy, Limit, send);
    for (let parts = isTorn ? chance.between(1, maxParts) : 1; parts > 1 && part.items.length > 0; parts--) {
      items.push(...part.items.slice(0, chance.between(0, part.items.length)));
      const last = items.at(-1);
      if (items.length === Limit) break;
      await strand.pass();
      const start = last ? { ExclusiveStartKey: keyOf(last, range.order) } : {};
      part = await this.#part({ ...input, ...start }, range, copy, Limit - items.length, send);
    }
    if (items.length < Limit) items.push(...part.items);
    const { read, bytes } = this.#page(items, strand);
    const last = read.length < items.length || read.length === Limit ? read.at(-1) : undefined;
    const LastEvaluatedKey = last ? keyOf(last, range.order) : part.end;
    this.#throughput.takeRead(partition, readUnitsOf(bytes, ConsistentRead));
    strand.log(`${range.pk} by ${range.order}: ${read.length} items${LastEvaluatedKey ? ", and more" : ""}`);
    const { LastEvaluatedKey: _, ...rest } = part.output;
    return {
      response: part.response,
      output: {
        ...rest,
        Items: read.map((item) => projected(item, input)),
        Count: read.length,
        ScannedCount: read.length,
        ...(LastEvaluatedKey && { LastEvaluatedKey }),
      },
    };
  }

  /** A copy's present state of a range, from where the query continues. */
  async #part(input: QueryCommandInput, range: Range, copy: string, limit: number, send: Send) {
    const late = this.#versions.late(input.TableName ?? "", range.pk, copy);
    // Reads extra items for those that the copy may not show, so that enough remain.
    const Limit = limit === Number.POSITIVE_INFINITY ? undefined : limit + late.size;
    const { response, output } = await send(whole({ ...input, Limit }));
    const { Items = [], LastEvaluatedKey: end } = output as QueryCommandOutput;
    const direction = input.ScanIndexForward === false ? -1 : 1;
    const compare = (a: RawItem, b: RawItem) => {
      const [first, second] = [a, b].map((item) => `${item[range.order]?.S}\n${item.sk?.S}`) as [string, string];
      return first === second ? 0 : direction * (first < second ? -1 : 1);
    };
    const start = input.ExclusiveStartKey;
    const old = [...late.values()].filter(
      (item) => item && range.holds(item) && (!start || compare(item, start) > 0) && (!end || compare(item, end) <= 0),
    ) as RawItem[];
    const latest = Items.filter((item) => !late.has(item.sk?.S ?? ""));
    const items = [...latest, ...old].sort(compare);
    return { items: items.slice(0, limit), end, response, output: output as QueryCommandOutput };
  }

  /** The items of a query that fit into one response. */
  #page(items: readonly RawItem[], { chance }: Strand) {
    const isShort = items.length > 1 && chance.percent(this.#figures.shortPages);
    const most = isShort ? chance.between(1, items.length - 1) : items.length;
    const read: RawItem[] = [];
    let bytes = 0;
    for (const item of items.slice(0, most)) {
      bytes += bytesOf(item);
      if (bytes > megabyte && read.length > 0) break;
      read.push(item);
    }
    return { read, bytes };
  }
}

/** The key of an item from which a query continues, in reading order. */
function keyOf(item: RawItem, order: string): RawItem {
  const { pk, sk } = item;
  return { ...(pk && { pk }), ...(sk && { sk }), ...(item[order] && { [order]: item[order] }) };
}
