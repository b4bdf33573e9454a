import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import { sendMessages } from "../../platform/queue/sendMessages.ts";
import type { Clock } from "../../time/clock.ts";
import { type Item, type Table, unchanged } from "../client.ts";
import {
  eventHeadKey,
  eventHeadPartitions,
  eventKey,
  eventsPartition,
  parseEventsPartition,
  shardOfState,
  shardStatePrefix,
  webhookListenerKey,
} from "../keys/events.ts";
import { type RetryOptions, retryOnConflict } from "../retryOnConflict.ts";
import { itemBytes, maxItems, TransactionSize } from "../transactionSize.ts";
import { shardNumbers } from "./shards.ts";

/** Seconds for which events are kept beyond 30 days, because a cursor contains only the hour of its creation. */
export const retentionMarginSeconds = 2 * 3_600;

/** Seconds for which an event is kept after it got its place: 30 days (docs/spec.md#events) plus the margin. */
export const eventRetentionSeconds = 30 * 24 * 3_600 + retentionMarginSeconds;

/** Maximum number of events of one CRB per transaction, which also writes their item of waiting events and the head. */
const maxEvents = maxItems - 1;

/** Place and expiry (epoch seconds) of a shard's last event, and its waiting events. */
export interface ShardState {
  /** 0 without a head: such a shard never had an event */
  seq: number;
  keptUntil: number;
  isListenedTo: boolean;
  waiting: readonly (Item & { waiting: readonly string[] })[];
}

/** Reads the shards of a service provider consistently, for one read unit per partition of heads if few events wait. */
export async function readShards(table: Table, spId: string): Promise<ShardState[]> {
  const parts = eventHeadPartitions(spId).map((pk) => table.queryPartition(pk, { consistent: true }));
  const byShard = Map.groupBy((await Promise.all(parts)).flat(), shardOfState);
  return shardNumbers.map((shard) => toShardState(eventsPartition(spId, shard), byShard.get(shard) ?? []));
}

function toShardState(pk: string, items: readonly Item[]): ShardState {
  const head = items.find(({ sk }) => sk === eventHeadKey(pk).sk);
  const listened = items.find(({ sk }) => sk === webhookListenerKey(pk).sk);
  return {
    seq: Number(head?.seq ?? 0),
    keptUntil: Number(head?.kept_until ?? 0),
    isListenedTo: listened !== undefined,
    waiting: items.filter((item) => item !== head && item !== listened) as (Item & { waiting: string[] })[],
  };
}

/**
 * Gives places to the waiting events of a shard. Each transaction raises the head and moves events, on condition that
 * neither has changed: an interrupted worker leaves complete batches, and of two workers one reads again. If the service
 * provider has webhook endpoints, deliveries are queued.
 *
 * @returns the state after the last transaction
 * @throws ServiceError "unavailable" if every attempt has a conflict; OutOfTimeError after the deadline
 */
export async function sequenceEvents(
  table: Table,
  pk: string,
  clock: Clock,
  retryOptions?: RetryOptions,
): Promise<ShardState> {
  const { pk: partition, sk: prefix } = shardStatePrefix(pk);
  let isNews = false;
  const attempt = async () => {
    let state = toShardState(pk, await table.queryPartition(partition, { prefix, consistent: true }));
    while (state.waiting.length > 0) {
      const { writes, after } = nextBatch(table, pk, state, clock.now());
      await table.transact(writes);
      isNews = true;
      state = after;
    }
    return state;
  };
  const after = await retryOnConflict(clock, attempt, retryOptions);
  if (isNews && after.isListenedTo) await queueDeliveries(pk);
  return after;
}

/** Maximum time (milliseconds) that a worker waits for the queue after it has sequenced events. */
const maxQueueWaitMs = 1_000;

/** Queues the deliveries of a shard. If the message is lost, the sweep of the next minute finds them. */
async function queueDeliveries(pk: string): Promise<void> {
  // The variable is not set in the operator's programs on the local stage.
  const url = process.env.WEBHOOK_QUEUE_URL;
  if (!url) return;
  const { spId: sp_id, shard } = parseEventsPartition(pk);
  await sendMessages(url, [{ sp_id, shard }], { within: maxQueueWaitMs }).catch((error) =>
    log.warn("deliveries not queued; the next sweep queues them", { sp_id, shard, error: describeError(error) }),
  );
}

function nextBatch(table: Table, pk: string, { seq, waiting, isListenedTo }: ShardState, now: Date) {
  const expires = Math.floor(now.getTime() / 1_000) + eventRetentionSeconds;
  const writes: TransactWriteItem[] = [];
  const left: ShardState["waiting"][number][] = [];
  const size = new TransactionSize();
  let place = seq;
  for (const item of waiting) {
    const taken = item.waiting.slice(0, maxEvents);
    const rest = item.waiting.slice(maxEvents);
    const moves = [
      takenWrite(table, item, rest),
      ...taken.map((body, i) => table.putWrite({ ...eventKey(pk, place + i + 1), body, expires })),
    ];
    if (!size.add(moves, { replaced: itemBytes(item) })) {
      left.push(item);
      continue;
    }
    writes.push(...moves);
    place += taken.length;
    if (rest.length > 0) left.push({ ...item, waiting: rest });
  }
  const head = { ...eventHeadKey(pk), seq: place, kept_until: expires };
  return {
    writes: [table.putWrite(head, unchanged("seq", seq || undefined)), ...writes],
    after: { seq: place, keptUntil: expires, isListenedTo, waiting: left },
  };
}

export const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);

/**
 * The write that removes sequenced events from the waiting ones, if these have not changed. It compares the events, because
 * a query may read the head after a transaction but the waiting events before it.
 */
function takenWrite(table: Table, { pk, sk, waiting }: ShardState["waiting"][number], rest: readonly string[]) {
  const isSame = unchanged("waiting", waiting);
  if (rest.length === 0) return table.deleteWrite({ pk, sk }, isSame);
  return table.setWrite({ pk, sk }, { waiting: rest, waiting_bytes: bytesOf(rest) }, isSame);
}
