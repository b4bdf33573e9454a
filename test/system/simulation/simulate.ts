import { v5 as uuid } from "uuid";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import { Table } from "../../../shared/store/client.ts";
import { recordList, salesTotalsPartition } from "../../../shared/store/keys/orderedLists.ts";
import type { Page } from "../../../shared/store/orderedList/readPage.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { faultsOfTotals } from "../../shared/store/salesDays/faultsOfTotals.ts";
import { faultsOfEntries } from "../../tableState.ts";
import { accidents, defaultFigures } from "../realRules/figures.ts";
import { attachBucket, RealRules } from "../realRules/realRules.ts";
import { Business, businessMidnight, untilMidnight } from "./business.ts";
import { countRetries, type Retries } from "./countRetries.ts";
import { EndedDays } from "./endedDays.ts";
import { faultsOfLeases, findInventoryFaults } from "./findInventoryFaults.ts";
import { Followers } from "./followers.ts";
import { type Defenses, Journal, noDefenses } from "./journal.ts";
import { faultsOfDay, type PastDay, pastDaysOf } from "./pastDays.ts";
import {
  expectedOf,
  faultsOf,
  knownLocations,
  locationIds,
  type Reading,
  readingsOf,
  simulatedKinds,
} from "./readings.ts";
import { type Restoring, restore, tornItems } from "./restores.ts";
import { SalesDayFollower } from "./salesDayFollower.ts";
import { type Stored, storedIn } from "./stored.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 3_600 * second;
/** A transaction commits its items one after the other: consistent reads see the last one up to this much later. */
const maxCommitMs = 100;
const namespace = "b7b0c0a2-52c5-4a37-9b0e-7a3f8b1f6f0d";

/** Number of times that a counting client reads in a round. */
const maxCounts = 8;

/** The events of a history, and its faults; empty if there are none. */
export interface Simulated {
  wrong: string[];
  rounds: number;
  calls: number;
  kills: number;
  /** number of records that did not change during walks; each walk had to return them */
  unchanged: number;
  /** number of walks through the inventory of a past day that finished during others' work */
  pastDays: number;
  /** number of records that followers of the changes received */
  followed: number;
  /** number of sales days that a follower read because of an event */
  followedDays: number;
  /** number of them that learned of the table's restore */
  resets: number;
  /** number of empty or shortened lists that the POS returned without an error */
  falseAnswers: number;
  /** number of restores with only a part of a transaction */
  tornRestores: number;
  defenses: Defenses;
  log: string;
}

/**
 * Simulates one history of a business's replication by DynamoDB's real rules. Planners and workers run concurrently,
 * are killed, are cut off and hand their runs over. The queue repeats messages, and the POS changes. Clients read
 * lists and follow changes. The history includes midnights in UTC and of the business, New Year, a year and a
 * restore. After every round the turns exist, all reads agree with the records, and past days keep their final state.
 * In the end the records agree with the POS.
 *
 * @param bare an empty table on an engine, through a client without rules
 * @param newClient makes another client of the same table
 * @param most maximum number of rounds, to find the shortest faulty history
 */
export async function simulate(
  seed: number,
  bare: Table,
  newClient: () => Table["client"],
  most = Number.POSITIVE_INFINITY,
): Promise<Simulated> {
  const chance = dice("simulation", seed);
  // New Year in UTC and in Denver, or no midnight nearby.
  const start = chance.pick([
    "2026-12-31T23:58:35.000Z",
    "2026-12-31T23:58:45.000Z",
    "2026-12-31T23:57:00.000Z",
    "2027-01-01T06:58:35.000Z",
    "2027-01-01T06:56:30.000Z",
    "2026-06-30T12:00:00.000Z",
  ]);
  const crbId = uuid(String(seed), namespace);
  const journal = new Journal(crbId, testConnection.timezone, locationIds(crbId, testConnection.posType));
  const corrected = { skew: 4 * second, clockCorrections: 50 };
  const hasAccidents = chance.percent(50);
  const world = new RealRules({
    seed,
    start,
    observe: journal.observe,
    ...chance.pick([{ skew: second }, { skew: 4 * second }, corrected, corrected]),
    ...(chance.percent(30) && { commitWindow: maxCommitMs }),
    ...(hasAccidents && accidents),
    // In half of the histories, most nodes have the maximum lag. A change that is reverted at once is then read too
    // late.
    ...(chance.percent(50) && { usualLag: chance.pick([second, 10 * second]) }),
    // In half of them, calls may take so long that a lease expires meanwhile.
    ...(chance.percent(50) && { stalls: 3, stall: 600 * second }),
  });
  const table = new Table(bare.name, newClient(), world.clock);
  world.attach(table);
  attachBucket(serviceBucket());
  const business = new Business(chance, world, table, bare, crbId, hasAccidents);
  const { posType, timezone } = business.connection;
  const ended = new EndedDays(bare, crbId, timezone, locationIds(crbId, posType));
  ended.watch(table, () => world.time);
  const counts = {
    rounds: 0,
    calls: 0,
    kills: 0,
    unchanged: 0,
    pastDays: 0,
    followed: 0,
    followedDays: 0,
    resets: 0,
    falseAnswers: 0,
    tornRestores: 0,
  };
  const done: Simulated = { wrong: [], ...counts, defenses: noDefenses, log: "" };
  const followers = new Followers(chance, crbId, business.outages);
  const dayFollower = new SalesDayFollower(chance, crbId, business.outages);
  const setting = { chance, world, table, bare, business, ended, followers, dayFollower, journal };
  const check = async (stored: Stored) => void done.wrong.push(...(await faults(setting, stored)));
  await business.connect();
  await world.clock.sleep(61 * second);
  const retries: Retries = {};
  const replicateAll = async () => {
    const rounds = Math.min(most, chance.between(2, 4));
    let stored = await storedIn(bare);
    const begun = stored;
    let backup = stored;
    const replicate = async () => {
      done.rounds++;
      stored = await round(done, stored, setting);
      await check(stored);
    };
    while (done.rounds < rounds && done.wrong.length === 0) {
      await replicate();
      if (chance.percent(50)) backup = stored;
      await world.clock.sleep(pauseOf(chance, world.time));
    }
    if (done.wrong.length === 0) done.wrong.push(...(await business.drainAllWork()));
    if (done.wrong.length === 0 && chance.percent(25)) {
      await world.clock.sleep(365 * day);
      stored = await storedIn(bare);
      await replicate();
      done.wrong.push(...(await business.drainAllWork()));
    }
    stored = await storedIn(bare);
    if (done.wrong.length === 0) await check(stored);
    if (done.wrong.length === 0)
      done.wrong.push(
        ...business.differences(stored),
        ...(await business.findComplianceFaults(stored)),
        ...journal.salesDays.unannounced(bare.name),
      );
    if (done.wrong.length === 0) done.wrong.push(...(await followers.differences(bare, stored, 0)));
    if (done.wrong.length > 0) return;
    if (!chance.percent(40)) {
      done.wrong.push(...(await business.replicateOverMidnight()));
      if (done.wrong.length === 0) await check(await storedIn(bare));
      return;
    }
    const isTorn = chance.percent(60);
    const items = isTorn
      ? tornItems(salesTotalsPartition(crbId), begun, journal.commits, chance)
      : [...backup.values()].flat();
    if (isTorn) done.tornRestores++;
    const checkLists = (table: Table, stored: Stored) => faultsOfLists(setting, table, stored);
    done.wrong.push(...(await restore(setting, items, isTorn, newClient, checkLists)));
  };
  await countRetries(retries, () => business.during(replicateAll));
  const { gaps: gap, ...followed } = followers.counts;
  const { MixedCountsError: staleRead = 0, MixedYearsError: years = 0 } = retries;
  done.defenses = { ...journal.defenses, staleRead, years, gap };
  Object.assign(done, followed, { falseAnswers: business.falseAnswers, followedDays: dayFollower.reads });
  done.log = world.history();
  table.client.destroy();
  return done;
}

/** The faulty history with the fewest rounds. */
export async function shortest(seed: number, history: (rounds: number) => Promise<Simulated>): Promise<Simulated> {
  for (let rounds = 1; ; rounds++) {
    const found = await history(rounds);
    if (found.wrong.length > 0) return found;
    if (found.rounds < rounds) throw new Error(`seed ${seed} goes wrong only at times`);
  }
}

interface Setting extends Restoring {
  table: Table;
  ended: EndedDays;
  dayFollower: SalesDayFollower;
}

/**
 * Runs all actors. Clients read meanwhile, and must see all earlier records that do not change.
 *
 * @returns the stored items afterwards
 */
async function round(done: Simulated, before: Stored, setting: Setting): Promise<Stored> {
  const { chance, world, table, bare, business } = setting;
  const { crbId, posType } = business.connection;
  // A window with an end loses changed records, so a walk through it may miss others.
  const window = { from: chance.pick(["2025-01-01", "2026-01-01"]) };
  const readings = readingsOf(crbId, posType, knownLocations(before, crbId), window, chance.between(1, 4));
  const isBegun = before.has(recordList(crbId, "customer").pk);
  const clients = Array.from({ length: isBegun ? 2 : 0 }, (_, i) => {
    const reading = chance.pick(readings as [Reading, ...Reading[]]);
    return {
      name: `client ${done.rounds}.${i}: ${reading.name}`,
      reading,
      work: () => walk(reading, setting, (page, at) => checkPage(reading, setting, page, at)),
    };
  });
  // Other numbers than those of `chance`, so that the rest of the history stays the same.
  const { pick } = dice("counters", crbId, done.rounds);
  const countable = readings.filter(({ countsAll }) => countsAll);
  const counters = Array.from({ length: isBegun ? 2 : 0 }, (_, i) => {
    const reading = pick(countable as [Reading, ...Reading[]]);
    return { name: `counter ${done.rounds}.${i}: ${reading.name}`, work: () => count(reading, setting) };
  });
  const past = pastDays(setting, before);
  const readers = Array.from({ length: past.length > 0 ? 2 : 0 }, (_, i) => {
    const day = chance.pick(past as [PastDay, ...PastDay[]]);
    return { name: `reader ${done.rounds}.${i}: ${day.name}`, day, work: () => walk(day, setting) };
  });
  const { erasures } = business;
  const outcomes = await world.run([
    ...business.jobs(done.rounds),
    ...clients,
    ...counters,
    ...readers,
    ...setting.followers.jobs(done.rounds, world, table),
    ...setting.dayFollower.jobs(done.rounds, table),
  ]);
  outcomes.push(...(await business.rivals()));
  const after = await storedIn(bare);
  for (const { name, calls, killed, value, error } of outcomes) {
    done.calls += calls;
    done.kills += killed ? 1 : 0;
    if (error && !business.outages.take(error)) done.wrong.push(`${name}: ${error}`);
    if (!Array.isArray(value)) continue;
    const day = readers.find((reader) => reader.name === name)?.day;
    if (day) {
      done.pastDays++;
      if (String(value) !== String(day.records)) done.wrong.push(`${name}: not as it stood`);
    }
    const reading = clients.find((client) => client.name === name)?.reading;
    if (!reading || (reading.losesErased && business.erasures > erasures)) continue;
    const still = new Set(expectedOf(reading, after).map(({ sk }) => sk));
    // Records that leave a filter move the following ones to lower offsets (docs/spec.md#order-of-lists).
    if (expectedOf(reading, before).some(({ sk }) => !still.has(sk))) continue;
    const seen = new Set(value.map((record) => JSON.parse(record).id));
    const bodies = new Set((after.get(reading.pk) ?? []).map(({ body }) => body));
    const unchanged = expectedOf(reading, before).filter(({ body }) => bodies.has(body));
    done.unchanged += unchanged.length;
    for (const { sk } of unchanged) if (!seen.has(sk)) done.wrong.push(`${name} missed ${sk}`);
  }
  return after;
}

/**
 * Milliseconds until the next round: at least a minute, after which the next runs are due. Half of the pauses end
 * shortly before a midnight, in UTC or of the business.
 */
function pauseOf(chance: Dice, now: number): number {
  const pause = untilMidnight(chance.pick([0, 0, businessMidnight]), now) - chance.between(0, 45) * second;
  const least = 61 * second;
  if (chance.percent(50)) return pause < least ? pause + day : pause;
  return chance.pick([least, 5 * 60 * second, day / 2, day]);
}

/**
 * A client that reads page after page.
 *
 * @param check of each page, with the time of its request
 * @returns the records that it received
 */
async function walk(
  { pk, page }: Pick<Reading, "pk" | "page">,
  { world, table, chance }: Setting,
  check: (page: Page, requestedAt: number) => void = () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  await waitForWrite(chance, world, pk, 180 * second);
  const limit = chance.percent(70) ? chance.between(2, 8) : chance.between(10, 30);
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const requestedAt = world.time;
    const found = await page(table, { offset, limit });
    check(found, requestedAt);
    total = found.total;
    seen.push(...found.records);
    await waitForWrite(chance, world, pk, 300);
  }
  return seen;
}

/** A client that reads the number of records during each write, while the years of the list can be of different states. */
async function count(reading: Reading, setting: Setting): Promise<void> {
  const { world, table } = setting;
  for (let reads = 0; reads < maxCounts; reads++) {
    await world.nextWrite(reading.pk, minute);
    const requestedAt = world.time;
    checkPage(reading, setting, await reading.page(table, { offset: 0, limit: 3 }), requestedAt);
  }
}

/** @throws Error for a page that repeats a record, or shows records or their number from before its request */
function checkPage(
  { pk, countsAll, readsById }: Reading,
  { journal, world }: Setting,
  { total, records }: Page,
  requestedAt: number,
): void {
  const ids = records.map((record) => JSON.parse(record).id as string);
  if (new Set(ids).size < ids.length) throw new Error(`a page shows a record twice: ${ids}`);
  const earliest = requestedAt - maxCommitMs - (readsById ? defaultFigures.tableLag : 0);
  for (const [i, id] of ids.entries()) {
    const until = journal.supersededAt(pk, id, records[i] ?? "") ?? requestedAt;
    if (until < earliest) throw new Error(`a page shows ${id} as it was until ${requestedAt - until} ms before`);
  }
  const { min, max } = journal.countsBetween(pk, requestedAt - maxCommitMs, world.time);
  if (countsAll && (total < min || total > max)) throw new Error(`a total of ${total} instead of ${min} to ${max}`);
}

/** Clients often read right after a write to the data that they read. */
async function waitForWrite(chance: Dice, world: RealRules, pk: string, maxMs: number): Promise<void> {
  if (chance.percent(60)) await world.nextWrite(pk, maxMs);
  await world.clock.sleep(chance.between(0, chance.pick([10, 100, second])));
}

/** The last past days of each known location. */
function pastDays({ world, business, ended }: Setting, stored: Stored): PastDay[] {
  const { crbId, timezone } = business.connection;
  const yesterday = localDay(new Date(world.time - day - 5 * second), timezone);
  const days = [...new Set([...ended.days, yesterday])];
  return knownLocations(stored, crbId).flatMap((id) => pastDaysOf(ended, stored, crbId, id, days, world.clock));
}

/** Violated invariants while no actor writes. */
async function faults(setting: Setting, stored: Stored): Promise<string[]> {
  const { bare, business, chance, ended, journal } = setting;
  const found = await Promise.all([
    faultsOfLists(setting, bare, stored),
    ...pastDays(setting, stored).map((day) => faultsOfDay(day, bare, chance.pick([3, 10, 100]))),
    business.findScheduleFaults(),
    business.faultsOfFreshness(stored),
  ]);
  return [
    ...found.flat(),
    ...ended.faultsOfRecords(stored),
    ...ended.faults,
    ...business.findFingerprintFaults(stored),
    ...journal.faults,
    ...business.outages.faults,
  ];
}

/** Differences of lists, index entries and the state of runs from the records, while no worker writes. */
async function faultsOfLists({ business, chance }: Setting, bare: Table, stored: Stored): Promise<string[]> {
  const { crbId, posType } = business.connection;
  const window = { from: chance.pick(["2025-01-01", "2026-01-01"]), to: chance.pick(["2026-12-31", "2027-01-01"]) };
  const page = chance.percent(50) ? { offset: 0, limit: 1_000 } : { offset: 3, limit: 5 };
  const readings = readingsOf(crbId, posType, knownLocations(stored, crbId), window, chance.between(1, 4));
  const found = await Promise.all(readings.map((reading) => faultsOf(reading, bare, stored, page)));
  const items = [...stored.values()].flat();
  return [
    ...found.flat(),
    ...faultsOfEntries(items, crbId),
    ...simulatedKinds.flatMap((kind) => faultsOfTotals(items, recordList(crbId, kind))),
    ...findInventoryFaults(stored, crbId, locationIds(crbId, posType)),
    ...faultsOfLeases(stored, crbId),
  ];
}
