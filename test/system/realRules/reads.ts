import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  KeysAndAttributes,
  TransactGetItemsCommandInput,
  TransactGetItemsCommandOutput,
} from "@aws-sdk/client-dynamodb";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { RawItem } from "../../../shared/store/client.ts";
import type { Strand } from "./actors.ts";
import { canceled, throttled } from "./errors.ts";
import { projected, whole } from "./expressions.ts";
import type { Figures } from "./figures.ts";
import { idOf, nameOf, partitionOf, type Send } from "./items.ts";
import type { Observe } from "./observations.ts";
import type { Scheduler } from "./scheduler.ts";
import { bytesOf, readUnitsOf, type Throughput } from "./throughput.ts";
import { nodes, type Versions } from "./versions.ts";
import type { Writes } from "./writes.ts";

/** Reads of items by keys, answered by lagging nodes while others write. */
export class Reads {
  readonly #figures: Figures;
  readonly #scheduler: Scheduler;
  readonly #versions: Versions;
  readonly #throughput: Throughput;
  readonly #writes: Writes;
  readonly #observe: Observe;

  constructor(
    figures: Figures,
    scheduler: Scheduler,
    versions: Versions,
    throughput: Throughput,
    writes: Writes,
    observe: Observe,
  ) {
    this.#figures = figures;
    this.#scheduler = scheduler;
    this.#versions = versions;
    this.#throughput = throughput;
    this.#writes = writes;
    this.#observe = observe;
  }

  async get({ chance, log }: Strand, input: GetItemCommandInput, send: Send) {
    const { TableName = "", Key = {}, ConsistentRead = false } = input;
    const { pk, sk } = nameOf(TableName, Key);
    const node = ConsistentRead ? "leader" : chance.pick(nodes);
    const partition = partitionOf({ table: TableName, pk, sk });
    this.#refuse([partition], chance);
    const late = this.#versions.late(TableName, pk, node);
    const { response, output } = await send(whole(input));
    const { Item: latest, ...rest } = output as GetItemCommandOutput;
    const item = late.has(sk) ? late.get(sk) : latest;
    log(`${pk} ${sk}: ${item ? "found" : "none"}${late.has(sk) ? ", not the last state" : ""}`);
    this.#throughput.takeRead(partition, readUnitsOf(bytesOf(item ?? {}), ConsistentRead));
    return { response, output: { ...rest, ...(item && { Item: projected(item, input) }) } };
  }

  async transactGet({ chance }: Strand, input: TransactGetItemsCommandInput, send: Send) {
    const names = (input.TransactItems ?? []).map(({ Get }) => nameOf(Get?.TableName ?? "", Get?.Key ?? {}));
    const refused = this.#throughput.rejectReads(names.map(partitionOf), chance);
    const codes = names.map((name, i) => {
      if (this.#writes.isHeld(name)) return "TransactionConflict";
      return refused[i] ? "ThrottlingError" : "None";
    });
    if (codes.some((code) => code !== "None")) throw canceled(codes);
    const answer = await send(input);
    const { Responses = [] } = answer.output as TransactGetItemsCommandOutput;
    for (const [i, name] of names.entries()) {
      this.#throughput.takeRead(partitionOf(name), 2 * readUnitsOf(bytesOf(Responses[i]?.Item ?? {}), true));
    }
    return answer;
  }

  /** Reads keys in any order, from any node, each in its state when the read reaches it; sometimes not all of them. */
  async batchGet(strand: Strand, input: BatchGetItemCommandInput, send: Send) {
    const { chance } = strand;
    const tables = Object.entries(input.RequestItems ?? {});
    const [[table, request] = ["", { Keys: [] }], ...others] = tables as [string, KeysAndAttributes][];
    if (others.length > 0) throw new Error("the layer does not know a batch over several tables");
    const keys = shuffled(request.Keys ?? [], chance);
    const partitions = keys.map((key) => partitionOf(nameOf(table, key)));
    this.#refuse(partitions, chance);
    const processed = chance.percent(this.#figures.unprocessed) ? chance.between(1, keys.length) : keys.length;
    const unprocessed = keys.splice(processed);
    if (request.ConsistentRead) this.#reportAhead(table, request, keys);
    const left = new Set<string>();
    const latest = async () => {
      const { response, output } = await send({ RequestItems: { [table]: whole({ ...request, Keys: keys }) } });
      const { Responses, UnprocessedKeys } = output as BatchGetItemCommandOutput;
      for (const key of UnprocessedKeys?.[table]?.Keys ?? []) left.add(idOf(nameOf(table, key)));
      const items = new Map((Responses?.[table] ?? []).map((item) => [idOf(nameOf(table, item)), item]));
      const seen = keys.map((key) => {
        const name = nameOf(table, key);
        const late = this.#versions.late(table, name.pk, request.ConsistentRead ? "leader" : chance.pick(nodes));
        return late.has(name.sk) ? late.get(name.sk) : items.get(idOf(name));
      });
      return { response, output, seen };
    };
    const first = await latest();
    const isTorn = this.#figures.tornReads && this.#scheduler.hasCompany && keys.length > 1;
    if (isTorn) await strand.pass();
    const { response, output, seen } = isTorn ? await latest() : first;
    const items: RawItem[] = [];
    for (const [i, key] of keys.entries()) {
      const item = chance.percent(50) ? first.seen[i] : seen[i];
      const partition = partitions[i] ?? "";
      const isLeft = left.has(idOf(nameOf(table, key))) || this.#throughput.hasNoReads(partition);
      if (isLeft) unprocessed.push(key);
      else if (item) items.push(projected(item, request));
      const units = readUnitsOf(bytesOf(item ?? {}), request.ConsistentRead ?? false);
      if (!isLeft) this.#throughput.takeRead(partition, units);
    }
    strand.log(`${partitions.length} keys: ${items.length} items, ${unprocessed.length} keys left`);
    const UnprocessedKeys = unprocessed.length > 0 ? { [table]: { ...request, Keys: unprocessed } } : {};
    return { response, output: { ...(output as object), Responses: { [table]: items }, UnprocessedKeys } };
  }

  #reportAhead(table: string, { ExpressionAttributeNames }: KeysAndAttributes, keys: readonly RawItem[]): void {
    const attributes = Object.values(ExpressionAttributeNames ?? {});
    for (const key of keys) {
      const item = nameOf(table, key);
      const isAhead = nodes.some((node) => this.#versions.late(table, item.pk, node).has(item.sk));
      if (isAhead) this.#observe({ type: "ahead", item, attributes });
    }
  }

  #refuse(partitions: readonly string[], chance: Dice): void {
    if (this.#throughput.rejectReads(partitions, chance).some(Boolean)) throw throttled(chance);
  }
}

function shuffled<T>(list: readonly T[], chance: Dice): T[] {
  const drawn = list.map((value) => ({ value, place: chance.between(0, 1_000_000) }));
  return drawn.sort((a, b) => a.place - b.place).map(({ value }) => value);
}
