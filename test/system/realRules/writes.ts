import {
  type BatchWriteItemCommandInput,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { RawItem } from "../../../shared/store/client.ts";
import { tableIndexes } from "../../../shared/store/schema.ts";
import type { Strand } from "./actors.ts";
import { canceled, conflict, throttled } from "./errors.ts";
import type { Figures } from "./figures.ts";
import { type ItemName, idOf, nameOf, partitionOf, readItems, type Send } from "./items.ts";
import type { Changed, Observe } from "./observations.ts";
import { bytesOf, type Throughput, type WriteUnits, writeUnitsOf } from "./throughput.ts";
import type { Versions } from "./versions.ts";

interface Write extends ItemName {
  kind: "Put" | "Update" | "Delete" | "ConditionCheck";
  /** the item after a put */
  item?: RawItem;
  /** attributes that an update assigns, and bytes that it adds to others */
  assigned: RawItem;
  addedBytes: number;
  /** attributes that the write's expressions name */
  named: readonly string[];
}

interface WriteInput {
  TableName?: string | undefined;
  Key?: RawItem | undefined;
  Item?: RawItem | undefined;
  UpdateExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: RawItem | undefined;
}

const single = { PutItemCommand: "Put", UpdateItemCommand: "Update", DeleteItemCommand: "Delete" } as const;

/** Writes, and the items that transactions hold. */
export class Writes {
  readonly #figures: Figures;
  readonly #versions: Versions;
  readonly #throughput: Throughput;
  readonly #observe: Observe;
  readonly #held = new Map<string, "transaction" | "write">();

  constructor(figures: Figures, versions: Versions, throughput: Throughput, observe: Observe) {
    this.#figures = figures;
    this.#versions = versions;
    this.#throughput = throughput;
    this.#observe = observe;
  }

  /** Whether a write holds an item, which makes TransactGetItems fail. */
  isHeld(name: ItemName): boolean {
    return this.#held.has(idOf(name));
  }

  async transact(strand: Strand, input: TransactWriteItemsCommandInput, engine: DynamoDBClient, send: Send) {
    const { chance } = strand;
    const writes = (input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => {
      if (Put) return writeOf("Put", Put);
      if (Update) return writeOf("Update", Update);
      return Delete ? writeOf("Delete", Delete) : writeOf("ConditionCheck", ConditionCheck ?? {});
    });
    // Other writes cannot change the items until the commit.
    const before = await this.#lastStates(writes, engine);
    const units = writes.map((write) => unitsOf(write, before.get(idOf(write)), true));
    const rejected = this.#throughput.rejectTransaction(units, chance);
    if (rejected.some(Boolean)) {
      const code = chance.pick(["ThrottlingError", "ProvisionedThroughputExceeded"]);
      throw canceled(rejected.map((isRejected) => (isRejected ? code : "None")));
    }
    const held = writes.map((write) => this.#held.get(idOf(write)) === "transaction");
    if (held.some(Boolean)) throw canceled(held.map((isHeld) => (isHeld ? "TransactionConflict" : "None")));
    strand.log(`begins: ${writes.map(({ kind, pk, sk }) => `${kind} ${pk} ${sk}`).join(", ")}`);
    const release = this.#hold(writes, "transaction");
    try {
      await strand.pass();
      const window = this.#figures.holds ? strand.chance.between(0, this.#figures.commitWindow) : 0;
      const answer = await this.#commit(strand, writes, before, window, engine, () => send(input));
      strand.log("is committed");
      await strand.park(window);
      return answer;
    } finally {
      release();
    }
  }

  async write(strand: Strand, command: keyof typeof single, input: WriteInput, engine: DynamoDBClient, send: Send) {
    const write = writeOf(single[command], input);
    const old = (await this.#lastStates([write], engine)).get(idOf(write));
    const rejected = this.#throughput.rejectWrites([unitsOf(write, old, false)], strand.chance);
    if (rejected.some(Boolean)) throw throttled(strand.chance);
    const release = this.#hold([write], "write");
    const commit = async () => {
      await strand.pass();
      if (this.#held.get(idOf(write)) === "transaction") throw conflict();
      // The response returns the updated item, which saves one more call.
      const whole = write.kind === "Update" ? { ...input, ReturnValues: "ALL_NEW" } : input;
      const before = await this.#lastStates([write], engine);
      return this.#commit(strand, [write], before, 0, engine, () => send(whole));
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

  /** Runs the writes of a batch one at a time. Leaves out rejected ones, those of held items and sometimes others. */
  async batch(strand: Strand, input: BatchWriteItemCommandInput, engine: DynamoDBClient, send: Send) {
    const { chance } = strand;
    const [[table, requests] = ["", []], ...others] = Object.entries(input.RequestItems ?? {});
    if (others.length > 0) throw new Error("the layer does not know a batch over several tables");
    const all = requests.map((request) => {
      const { DeleteRequest, PutRequest } = request;
      const write = DeleteRequest
        ? writeOf("Delete", { TableName: table, ...DeleteRequest })
        : writeOf("Put", { TableName: table, ...PutRequest });
      return { request, write };
    });
    const before = await this.#lastStates(
      all.map(({ write }) => write),
      engine,
    );
    const processed = chance.percent(this.#figures.unprocessed) ? chance.between(1, all.length) : all.length;
    const isFree = all.map(({ write }, i) => i < processed && this.#held.get(idOf(write)) !== "transaction");
    const free = all.filter((_, i) => isFree[i]);
    const needed = free.map(({ write }) => unitsOf(write, before.get(idOf(write)), false));
    const rejected = needed.length > 0 ? this.#throughput.rejectWrites(needed, chance) : [];
    if (rejected.length > 0 && rejected.every(Boolean)) throw throttled(chance);
    const done = free.filter((_, i) => !rejected[i]);
    const left = all.filter((one) => !done.includes(one)).map(({ request }) => request);
    strand.log(`${all.length} writes, ${left.length} left`);
    const UnprocessedItems = left.length > 0 ? { [table]: left } : {};
    if (done.length === 0) return { response: {}, output: { UnprocessedItems, $metadata: {} } };
    const writes = done.map(({ write }) => write);
    const release = this.#hold(writes, "write");
    try {
      const { response, output } = await this.#commit(strand, writes, before, 0, engine, () =>
        send({ RequestItems: { [table]: done.map(({ request }) => request) } }),
      );
      return { response, output: { ...(output as object), UnprocessedItems } };
    } finally {
      release();
    }
  }

  #hold(writes: readonly Write[], by: "transaction" | "write"): () => void {
    const ids = writes.map(idOf).filter((id) => by === "transaction" || !this.#held.has(id));
    if (this.#figures.holds) for (const id of ids) this.#held.set(id, by);
    // A transaction may have taken over an item that a single write held.
    return () => ids.filter((id) => this.#held.get(id) === by).map((id) => this.#held.delete(id));
  }

  /** The present items; empty if neither units nor versions depend on them. */
  async #lastStates(writes: readonly Write[], engine: DynamoDBClient): Promise<Map<string, RawItem>> {
    if (!this.#versions.areKept && !this.#throughput.hasWriteLimit) return new Map();
    const last = writes.map((write) => ({ write, last: this.#versions.last(write) }));
    const unknown = last.flatMap((one) => (one.last ? [] : [one.write]));
    const states = await readItems(engine, unknown);
    for (const { write, last: known } of last) if (known?.item) states.set(idOf(write), known.item);
    return states;
  }

  /** Commits, and records the items before and after. */
  async #commit<T>(
    { chance, actor, actorTime }: Strand,
    writes: readonly Write[],
    before: ReadonlyMap<string, RawItem>,
    window: number,
    engine: DynamoDBClient,
    send: () => Promise<T>,
  ): Promise<T> {
    const versions = this.#versions;
    const answer = await send().catch((error) => {
      for (const write of writes.filter((_, i) => isUnmet(error, i))) this.#observe({ type: "unmet", write });
      throw error;
    });
    if (!versions.areKept) return answer;
    const changes = writes.filter(({ kind }) => kind !== "ConditionCheck");
    const updates = changes.filter(({ kind }) => kind === "Update");
    const returned = (answer as { output?: { Attributes?: RawItem } }).output?.Attributes;
    const updated = returned && updates[0] ? new Map([[idOf(updates[0]), returned]]) : await readItems(engine, updates);
    const changed: Changed[] = [];
    for (const change of changes) {
      const known = versions.last(change);
      const old = known ? known.item : before.get(idOf(change));
      const item = change.kind === "Update" ? updated.get(idOf(change)) : change.item;
      versions.add(change, old, item, chance.between(0, window), chance);
      changed.push({ table: change.table, pk: change.pk, sk: change.sk, item });
    }
    this.#observe({ type: "committed", at: this.#versions.now, actor, actorTime, changes: changed });
    return answer;
  }
}

/** Write units of a write: DynamoDB counts the larger of the old and the new item. */
function unitsOf(write: Write, old: RawItem | undefined, isTransaction: boolean): WriteUnits {
  const { kind, item, assigned, addedBytes } = write;
  const after = item ?? (kind === "Update" ? { ...old, ...assigned } : {});
  const bytes = Math.max(bytesOf(old ?? {}), bytesOf(after) + addedBytes);
  const partition = partitionOf(write);
  const units = new Map([[partition, writeUnitsOf(bytes, isTransaction)]]);
  if (kind === "ConditionCheck") return units;
  for (const [index, attribute] of Object.entries(tableIndexes)) {
    // An item that moves within an index is removed there and put again.
    const places = new Set([old, item].flatMap((state) => state?.[attribute]?.S ?? [])).size;
    const moves = kind === "Update" && write.named.includes(attribute) ? 1 : 0;
    if (places + moves > 0) units.set(`${partition} ${index}`, (places + moves) * writeUnitsOf(bytes, false));
  }
  return units;
}

function isUnmet(error: unknown, write: number): boolean {
  if (error instanceof ConditionalCheckFailedException) return true;
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : [];
  return reasons?.[write]?.Code === "ConditionalCheckFailed";
}

function writeOf(kind: Write["kind"], { TableName = "", Key, Item, ...expressions }: WriteInput): Write {
  const {
    UpdateExpression: update = "",
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values = {},
  } = expressions;
  const assigned: RawItem = {};
  const added: RawItem = {};
  for (const [value] of update.matchAll(/:\w+/g)) if (values[value]) added[value] = values[value];
  for (const [, name = "", value = ""] of update.matchAll(/(#?\w+) = (:\w+)/g)) {
    if (!values[value]) continue;
    assigned[names[name] ?? name] = values[value];
    delete added[value];
  }
  return {
    kind,
    ...nameOf(TableName, Key ?? Item ?? {}),
    ...(Item && { item: Item }),
    assigned,
    addedBytes: bytesOf(added),
    named: Object.values(names),
  };
}
