import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { createTable } from "../../../infra/local/createTable.ts";
import { rebuildLists } from "../../../shared/domain/replication/rebuildLists.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import { type Item, itemId, Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { isRetained } from "../../../shared/store/eventLog/findFirstRetainedEvent.ts";
import { readShards, retentionMarginSeconds } from "../../../shared/store/eventLog/sequenceEvents.ts";
import { shardOf } from "../../../shared/store/eventLog/shards.ts";
import { eventsPartition, placeOfEvent } from "../../../shared/store/keys/events.ts";
import { hasDifferences } from "../../../shared/store/listRebuild/rebuildList.ts";
import { eventsOf } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { scan } from "../../tableState.ts";
import type { Changed } from "../realRules/observations.ts";
import type { RealRules } from "../realRules/realRules.ts";
import type { Business } from "./business.ts";
import type { Followers } from "./followers.ts";
import { type Journal, rebuilder } from "./journal.ts";
import { segmentSize } from "./readings.ts";
import { type Stored, storedIn } from "./stored.ts";

const minute = 60_000;
/** Maximum number of attempts at a rebuild that accidents interrupt. */
const maxRebuilds = 20;

export interface Restoring {
  chance: Dice;
  world: RealRules;
  bare: Table;
  business: Business;
  followers: Followers;
  journal: Journal;
}

/**
 * Restores items into another table, with which the business and its followers continue.
 *
 * @param isTorn whether the items hold only a part of a transaction, so that the lists are rebuilt first; others are
 *   rebuilt sometimes
 * @param check finds faults of the restored table after all work has ended
 * @returns the faults
 */
export async function restore(
  { chance, world, bare, business, followers, journal }: Restoring,
  items: readonly Item[],
  isTorn: boolean,
  newClient: () => Table["client"],
  check: (restored: Table, stored: Stored) => Promise<string[]>,
): Promise<string[]> {
  const restored = new Table(`${bare.name}-restored`, newClient());
  const table = new Table(restored.name, newClient(), world.clock);
  const reader = new Table(restored.name, newClient(), world.clock);
  await createTable(restored.client, restored.name);
  try {
    for (const item of items) await restored.put(item);
    journal.salesDays.begin(restored.name, await scan(restored), isTorn);
    world.attach(table);
    business.moveTo(table, restored);
    const broken = isTorn || chance.percent(30) ? await rebuild(world, table, restored, business) : [];
    await followers.goOn(restored);
    const unsettled = await business.drainAllWork();
    const stored = await storedIn(restored);
    return [
      ...broken,
      ...unsettled,
      ...business.differences(stored),
      ...business.findFingerprintFaults(stored),
      ...(await followers.differences(restored, stored, 1)),
      ...(await unreadEvents(reader, business.connection.crbId)),
      ...(await check(restored, stored)),
      ...journal.faults,
      ...journal.salesDays.unannounced(restored.name),
      ...business.outages.faults,
    ];
  } finally {
    await restored.client.send(new DeleteTableCommand({ TableName: restored.name }));
    restored.client.destroy();
    table.client.destroy();
    reader.client.destroy();
  }
}

/** The stored events that a caller does not get. A torn restore may have lost others. */
async function unreadEvents(table: Table, crbId: string): Promise<string[]> {
  const spId = (await readCrb(table, crbId))?.serviceProviderId ?? "";
  const soon = new Date(table.clock.now().getTime() + retentionMarginSeconds * 1_000);
  const read = await eventsOf(table, spId).catch((error) => `the events cannot be read: ${error}`);
  if (typeof read === "string") return [read];
  const [seq, ids] = [(await readShards(table, spId))[shardOf(crbId)]?.seq ?? 0, new Set(read.map(({ id }) => id))];
  const stored = await table.queryPartition(eventsPartition(spId, shardOf(crbId)));
  return stored
    .filter((item) => placeOfEvent(item) <= seq && isRetained(item.expires as number, soon))
    .flatMap(({ body }) => (ids.has(JSON.parse(body as string).id) ? [] : [`a caller does not get the event ${body}`]));
}

/**
 * The items of a possible restore: all commits before one of them, and only some items of that one.
 *
 * @param partition half of the restores tear a transaction that changes it, because few do
 * @param before the items stored before the first commit
 */
export function tornItems(
  partition: string,
  before: Stored,
  commits: readonly (readonly Changed[])[],
  chance: Dice,
): Item[] {
  const items = new Map([...before.values()].flat().map((item) => [itemId(item), item]));
  const apply = (change: Changed) => {
    if (change.item) items.set(itemId(change), unmarshall(change.item) as Item);
    else items.delete(itemId(change));
  };
  const transactions = [...commits.keys()].filter((i) => (commits[i]?.length ?? 0) > 1);
  const ofPartition = transactions.filter((i) => commits[i]?.some(({ pk }) => pk === partition));
  const cuts = ofPartition.length > 0 && chance.percent(50) ? ofPartition : transactions;
  const cut = cuts.length > 0 ? chance.pick(cuts as [number, ...number[]]) : commits.length;
  for (const changes of commits.slice(0, cut)) changes.forEach(apply);
  for (const change of commits[cut] ?? []) if (chance.percent(50)) apply(change);
  return [...items.values()];
}

/**
 * Rebuilds all lists, and again after each accident that interrupts it.
 *
 * @returns the remaining faults
 */
async function rebuild(world: RealRules, table: Table, restored: Table, { connection, outages }: Business) {
  const options = { clock: world.clock, segmentSize };
  const work = async () => {
    for await (const _ of rebuildLists(table, connection.crbId, options));
  };
  for (let rebuilds = 1; ; rebuilds++) {
    const [{ error } = {}] = await world.run([{ name: rebuilder, work }]);
    if (!error) break;
    if (!outages.take(error) || rebuilds === maxRebuilds) return [`the lists cannot be rebuilt: ${error}`];
    await world.clock.sleep(minute);
  }
  const different: string[] = [];
  for await (const report of rebuildLists(restored, connection.crbId, { ...options, isCheck: true })) {
    if (hasDifferences(report)) different.push(`${report.list} differs after its rebuild`);
  }
  return different;
}
