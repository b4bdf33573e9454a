import type {
  BatchWriteItemCommandInput,
  DynamoDBClient,
  TransactWriteItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { RawItem } from "../../shared/table/client.ts";
import { tableIndexes } from "../../shared/table/schema.ts";
import type { Strand } from "./actors.ts";
import { canceled, conflict, throttled } from "./errors.ts";
import type { Figures } from "./figures.ts";
import { type ItemName, idOf, nameOf, partitionOf, readItems, type Send } from "./items.ts";
import { bytesOf, type Throughput, writeUnitsOf } from "./throughput.ts";
import type { Versions } from "./versions.ts";

interface Write extends ItemName {
  kind: "Put" | "Update" | "Delete" | "ConditionCheck";
  /** what a put leaves */
  item?: RawItem;
}

interface WriteInput {
  TableName?: string | undefined;
  Key?: RawItem | undefined;
  Item?: RawItem | undefined;
}

const single = { PutItemCommand: "Put", UpdateItemCommand: "Update", DeleteItemCommand: "Delete" } as const;

/** Writes, with the items that transactions hold. */
export class Writes {
  readonly #figures: Figures;
  readonly #versions: Versions;
  readonly #throughput: Throughput;
  readonly #held = new Map<string, "transaction" | "write">();

  constructor(figures: Figures, versions: Versions, throughput: Throughput) {
    this.#figures = figures;
    this.#versions = versions;
    this.#throughput = throughput;
  }

  /** Whether an item is being written: what TransactGetItems does not bear. */
  isHeld(name: ItemName): boolean {
    return this.#held.has(idOf(name));
  }

  async transact(strand: Strand, input: TransactWriteItemsCommandInput, engine: DynamoDBClient, send: Send) {
    const writes = (input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => {
      if (Put) return writeOf("Put", Put);
      if (Update) return writeOf("Update", Update);
      return Delete ? writeOf("Delete", Delete) : writeOf("ConditionCheck", ConditionCheck ?? {});
    });
    this.#throw(this.#refusals(writes, strand), strand, true);
    const held = writes.map((write) => this.#held.get(idOf(write)) === "transaction");
    if (held.some(Boolean)) throw canceled(held.map((isHeld) => (isHeld ? "TransactionConflict" : "None")));
    strand.log(`begins: ${writes.map(({ kind, pk, sk }) => `${kind} ${pk} ${sk}`).join(", ")}`);
    const release = this.#hold(writes, "transaction");
    try {
      await strand.pass();
      const window = this.#figures.holds ? strand.chance.between(0, this.#figures.commitWindow) : 0;
      const answer = await this.#commit(strand, writes, window, engine, () => send(input));
      strand.log("is committed");
      await strand.park(window);
      return answer;
    } finally {
      release();
    }
  }

  async write(strand: Strand, command: keyof typeof single, input: WriteInput, engine: DynamoDBClient, send: Send) {
    const write = writeOf(single[command], input);
    this.#throw(this.#refusals([write], strand), strand, false);
    const release = this.#hold([write], "write");
    const commit = async () => {
      await strand.pass();
      if (this.#held.get(idOf(write)) === "transaction") throw conflict();
      // What an update leaves is told with its answer, in the place of one more call.
      const asked = write.kind === "Update" ? { ...input, ReturnValues: "ALL_NEW" } : input;
      return this.#commit(strand, [write], 0, engine, () => send(asked));
    };
    try {
      const answer = await commit();
      strand.log(`${write.pk} ${write.sk}`);
      if (!strand.chance.percent(this.#figures.repeatedWrites)) return answer;
      strand.log("is sent once more");
      return await commit();
    } finally {
      release();
    }
  }

  /** Writes of a batch, each by itself; what the partition refuses, what is held, and at times others are left. */
  async batch(strand: Strand, input: BatchWriteItemCommandInput, engine: DynamoDBClient, send: Send) {
    const { chance } = strand;
    const [[table, requests] = ["", []], ...others] = Object.entries(input.RequestItems ?? {});
    if (others.length > 0) throw new Error("the layer does not know a batch over several tables");
    const writes = requests.map(({ DeleteRequest, PutRequest }) =>
      DeleteRequest
        ? writeOf("Delete", { TableName: table, ...DeleteRequest })
        : writeOf("Put", { TableName: table, ...PutRequest }),
    );
    const refused = this.#refusals(writes, strand);
    if (refused.every(Boolean)) throw throttled(chance);
    const processed = chance.percent(this.#figures.unprocessed) ? chance.between(1, writes.length) : writes.length;
    const isDone = writes.map(
      (write, i) => i < processed && !refused[i] && this.#held.get(idOf(write)) !== "transaction",
    );
    const pick = <T>(all: readonly T[], done: boolean) => all.filter((_, i) => isDone[i] === done);
    const left = pick(requests, false);
    strand.log(`${writes.length} writes, ${left.length} left`);
    const UnprocessedItems = left.length > 0 ? { [table]: left } : {};
    if (left.length === writes.length) return { response: {}, output: { UnprocessedItems, $metadata: {} } };
    const done = pick(writes, true);
    const release = this.#hold(done, "write");
    try {
      const { response, output } = await this.#commit(strand, done, 0, engine, () =>
        send({ RequestItems: { [table]: pick(requests, true) } }),
      );
      return { response, output: { ...(output as object), UnprocessedItems } };
    } finally {
      release();
    }
  }

  #hold(writes: readonly Write[], by: "transaction" | "write"): () => void {
    const ids = writes.map(idOf).filter((id) => by === "transaction" || !this.#held.has(id));
    if (this.#figures.holds) for (const id of ids) this.#held.set(id, by);
    // A transaction may have taken over what a single write held.
    return () => ids.filter((id) => this.#held.get(id) === by).map((id) => this.#held.delete(id));
  }

  #refusals(writes: readonly Write[], strand: Strand): boolean[] {
    return this.#throughput.refusals("write", writes.map(partitionOf), strand.chance);
  }

  #throw(refused: readonly boolean[], { chance }: Strand, isTransaction: boolean): void {
    if (!refused.some(Boolean)) return;
    const code = chance.pick(["ThrottlingError", "ProvisionedThroughputExceeded"]);
    throw isTransaction ? canceled(refused.map((isRefused) => (isRefused ? code : "None"))) : throttled(chance);
  }

  /** Commits, and takes down what the items were before and are since. */
  async #commit<T>(
    { chance }: Strand,
    writes: readonly Write[],
    window: number,
    engine: DynamoDBClient,
    send: () => Promise<T>,
  ): Promise<T> {
    const changes = writes.filter(({ kind }) => kind !== "ConditionCheck");
    const versions = this.#versions;
    const none = new Map<string, RawItem>();
    const before = versions.areKept
      ? await readItems(
          engine,
          changes.filter((write) => !versions.last(write)),
        )
      : none;
    const answer = await send();
    const updates = changes.filter(({ kind }) => kind === "Update");
    const told = (answer as { output?: { Attributes?: RawItem } }).output?.Attributes;
    const updated =
      told && updates[0]
        ? new Map([[idOf(updates[0]), told]])
        : versions.areKept
          ? await readItems(engine, updates)
          : none;
    for (const change of changes) {
      const known = versions.last(change);
      const old = known ? known.item : before.get(idOf(change));
      const item = change.kind === "Update" ? updated.get(idOf(change)) : change.item;
      if (versions.areKept) versions.add(change, old, item, chance.between(0, window), chance);
      this.#take(change, old, item, writes.length > 1);
    }
    return answer;
  }

  #take(change: Write, old: RawItem | undefined, item: RawItem | undefined, isTransaction: boolean): void {
    const bytes = Math.max(bytesOf(item ?? {}), bytesOf(old ?? {}));
    const partition = partitionOf(change);
    this.#throughput.take("write", partition, writeUnitsOf(bytes, isTransaction));
    for (const [index, attribute] of Object.entries(tableIndexes)) {
      // What moves within an index is removed there and put anew.
      const places = new Set([old, item].flatMap((state) => state?.[attribute]?.S ?? [])).size;
      if (places > 0) this.#throughput.take("write", `${partition} ${index}`, places * writeUnitsOf(bytes, false));
    }
  }
}

function writeOf(kind: Write["kind"], { TableName = "", Key, Item }: WriteInput): Write {
  return { kind, ...nameOf(TableName, Key ?? Item ?? {}), ...(Item && { item: Item }) };
}
