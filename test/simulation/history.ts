import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { v5 as uuid } from "uuid";
import { createTable } from "../../infra/local/createTable.ts";
import { type Dice, dice } from "../../shared/pos/sandbox/dice.ts";
import { type Item, Table } from "../../shared/table/client.ts";
import { recordList } from "../../shared/table/keys.ts";
import { localDay } from "../../shared/time/localTime.ts";
import { faultsOfEntries } from "../chaos/tableState.ts";
import { accidents } from "../realRules/figures.ts";
import { RealRules } from "../realRules/realRules.ts";
import { Business, isOutage } from "./business.ts";
import { EndedDays } from "./endedDays.ts";
import { faultsOfInventory, faultsOfLeases } from "./faultsOfInventory.ts";
import { Followers } from "./followers.ts";
import { faultsOfDay, type PastDay, pastDaysOf } from "./pastDays.ts";
import {
  chapterSize,
  expectedOf,
  faultsOf,
  knownLocations,
  locationIds,
  type Reading,
  readingsOf,
} from "./readings.ts";
import { type Stored, storedIn } from "./stored.ts";

const second = 1_000;
const day = 24 * 3_600 * second;
const namespace = "b7b0c0a2-52c5-4a37-9b0e-7a3f8b1f6f0d";

/** What happened in a history, and what was wrong; empty when all is well. */
export interface Simulated {
  wrong: string[];
  rounds: number;
  calls: number;
  kills: number;
  /** how many records did not change during walks, each of which had to show them */
  unchanged: number;
  /** how many walks through the inventory of a past day ended beside others' work */
  pastDays: number;
  /** how many records came to those who follow the changes */
  followed: number;
  /** how many of them were told that the table was restored */
  resets: number;
  /** how often the POS answered with an empty or shortened list, as if all were well */
  falseAnswers: number;
  log: string;
}

/**
 * One history of the replication of a business by DynamoDB's real rules: planners and workers side by side that are
 * killed, cut off and hand their runs over, a queue that repeats itself, a POS that changes under them, clients that walk,
 * clients that follow the changes, midnights in UTC and of the business, New Year, a year, and a restore. After every round the turns are there, whatever can be read agrees
 * with the records, and past days are as they ended; in the end the records agree with the POS.
 *
 * @param bare an empty table on an engine, through a client without rules
 * @param newClient makes another client of the same table
 * @param most ends after so many rounds, to find the shortest history that goes wrong
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
    "2026-12-31T23:57:00.000Z",
    "2027-01-01T06:58:35.000Z",
    "2027-01-01T06:56:30.000Z",
    "2026-06-30T12:00:00.000Z",
  ]);
  const world = new RealRules({
    seed,
    start,
    ...(chance.percent(60) && accidents),
    // Of a third of them nodes are mostly as late as they can be: then what is taken back at once is read as it was.
    ...(chance.percent(33) && { usualLag: second }),
    // Of half of them calls may take so long that a lease ends under them.
    ...(chance.percent(50) && { stalls: 3, stall: 600 * second }),
  });
  const table = new Table(bare.name, newClient(), world.clock);
  world.attach(table);
  const business = new Business(chance, world, table, bare, uuid(String(seed), namespace));
  const { crbId, posType, timezone } = business.connection;
  const ended = new EndedDays(bare, crbId, timezone, locationIds(crbId, posType));
  ended.watch(table, world.clock);
  const counts = { rounds: 0, calls: 0, kills: 0, unchanged: 0, pastDays: 0, followed: 0, resets: 0, falseAnswers: 0 };
  const done: Simulated = { wrong: [], ...counts, log: "" };
  const followers = new Followers(chance, crbId);
  const setting = { chance, world, table, bare, business, ended, followers };
  const check = async (stored: Stored) => void done.wrong.push(...(await faults(setting, stored)));
  await business.connect();
  await world.clock.sleep(61 * second);
  await business.during(async () => {
    const rounds = Math.min(most, chance.between(2, 4));
    let stored = await storedIn(bare);
    let backup = stored;
    const replicate = async () => {
      done.rounds++;
      stored = await round(done, stored, setting);
      await check(stored);
    };
    while (done.rounds < rounds && done.wrong.length === 0) {
      await replicate();
      if (chance.percent(50)) backup = stored;
      await world.clock.sleep(chance.pick([61 * second, 5 * 60 * second, day / 2, day]));
    }
    if (done.wrong.length === 0) done.wrong.push(...(await business.comesToRest()));
    if (done.wrong.length === 0 && chance.percent(25)) {
      await world.clock.sleep(365 * day);
      stored = await storedIn(bare);
      await replicate();
      done.wrong.push(...(await business.comesToRest()));
    }
    stored = await storedIn(bare);
    if (done.wrong.length === 0) await check(stored);
    if (done.wrong.length === 0) done.wrong.push(...business.differences(stored));
    if (done.wrong.length === 0) done.wrong.push(...(await followers.differences(bare, stored, 0)));
    if (done.wrong.length === 0 && chance.percent(30)) done.wrong.push(...(await restore(setting, backup, newClient)));
  });
  Object.assign(done, followers.counts, { falseAnswers: business.falseAnswers });
  done.log = world.history();
  table.client.destroy();
  return done;
}

/**
 * Restores the table to a state that it had: into another one, with which the business goes on, and those who follow it.
 *
 * @returns what is wrong then
 */
async function restore(
  { world, bare, business, followers }: Setting,
  backup: Stored,
  newClient: () => Table["client"],
): Promise<string[]> {
  const restored = new Table(`${bare.name}-restored`, newClient());
  const table = new Table(restored.name, newClient(), world.clock);
  await createTable(restored.client, restored.name);
  try {
    for (const item of [...backup.values()].flat()) await restored.put(item);
    world.attach(table);
    business.moveTo(table, restored);
    await followers.goOn(restored);
    const unsettled = await business.comesToRest();
    const stored = await storedIn(restored);
    return [...unsettled, ...business.differences(stored), ...(await followers.differences(restored, stored, 1))];
  } finally {
    await restored.client.send(new DeleteTableCommand({ TableName: restored.name }));
    restored.client.destroy();
    table.client.destroy();
  }
}

/** Of a history that goes wrong the one with the fewest rounds. */
export async function shortest(seed: number, history: (rounds: number) => Promise<Simulated>): Promise<Simulated> {
  for (let rounds = 1; ; rounds++) {
    const found = await history(rounds);
    if (found.wrong.length > 0) return found;
    if (found.rounds < rounds) throw new Error(`seed ${seed} goes wrong only at times`);
  }
}

interface Setting {
  chance: Dice;
  world: RealRules;
  table: Table;
  bare: Table;
  business: Business;
  ended: EndedDays;
  followers: Followers;
}

/**
 * All go to work, and clients read meanwhile what was there before: what does not change they must see.
 *
 * @returns what is there afterwards
 */
async function round(done: Simulated, before: Stored, setting: Setting): Promise<Stored> {
  const { chance, world, table, bare, business } = setting;
  const { crbId, posType } = business.connection;
  // A window that is closed loses what changes, so a walk through it may miss others.
  const window = { from: chance.pick(["2025-01-01", "2026-01-01"]) };
  const readings = readingsOf(crbId, posType, knownLocations(before, crbId), window, chance.between(1, 4));
  const isBegun = before.has(recordList(crbId, "customer").pk);
  const clients = Array.from({ length: isBegun ? 2 : 0 }, (_, i) => {
    const reading = chance.pick(readings as [Reading, ...Reading[]]);
    return {
      name: `client ${done.rounds}.${i}: ${reading.name}`,
      reading,
      work: () => walk(reading.page, world, table, chance),
    };
  });
  const past = pastDays(setting, before);
  const readers = Array.from({ length: past.length > 0 ? 2 : 0 }, (_, i) => {
    const day = chance.pick(past as [PastDay, ...PastDay[]]);
    return {
      name: `reader ${done.rounds}.${i}: ${day.name}`,
      day,
      work: () => walk(day.page, world, table, chance),
    };
  });
  const { erasures } = business;
  const outcomes = await world.run([
    ...business.jobs(done.rounds),
    ...clients,
    ...readers,
    ...setting.followers.jobs(done.rounds, world, table),
  ]);
  const after = await storedIn(bare);
  for (const { name, calls, killed, value, error } of outcomes) {
    done.calls += calls;
    done.kills += killed ? 1 : 0;
    if (error && !isOutage(error)) done.wrong.push(`${name}: ${error}`);
    if (!Array.isArray(value)) continue;
    const day = readers.find((reader) => reader.name === name)?.day;
    if (day) {
      done.pastDays++;
      if (String(value) !== String(day.records)) done.wrong.push(`${name}: not as it stood`);
    }
    const reading = clients.find((client) => client.name === name)?.reading;
    if (!reading || (reading.losesErased && business.erasures > erasures)) continue;
    if (reading.losesByMoves && haveSalesMoved(before, after, reading.pk)) continue;
    const seen = new Set(value.map((record) => JSON.parse(record).id));
    const bodies = new Set((after.get(reading.pk) ?? []).map(({ body }) => body));
    const unchanged = expectedOf(reading, before).filter(({ body }) => bodies.has(body));
    done.unchanged += unchanged.length;
    for (const { sk } of unchanged) if (!seen.has(sk)) done.wrong.push(`${name} missed ${sk}`);
  }
  return after;
}

/** Whether a sale has moved to another day of sale. */
function haveSalesMoved(before: Stored, after: Stored, pk: string): boolean {
  const dayOf = ({ saleRank }: Item) => String(saleRank).slice(0, 10);
  const days = new Map((before.get(pk) ?? []).map((sale) => [sale.sk, dayOf(sale)]));
  return (after.get(pk) ?? []).some((sale) => days.has(sale.sk) && days.get(sale.sk) !== dayOf(sale));
}

/** A client that reads page after page. @returns the records it has seen */
async function walk(page: Reading["page"], world: RealRules, table: Table, chance: Dice): Promise<string[]> {
  const seen: string[] = [];
  await world.clock.sleep(chance.between(0, second / 2));
  const limit = chance.between(2, 8);
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const { total: found, records } = await page(table, { offset, limit });
    total = found;
    seen.push(...records);
  }
  return seen;
}

/** The last days that are over, of each location that is known. */
function pastDays({ world, business, ended }: Setting, stored: Stored): PastDay[] {
  const { crbId, timezone } = business.connection;
  const yesterday = localDay(new Date(world.clock.now().getTime() - day - 2 * second), timezone);
  const days = [...new Set([...ended.days, yesterday])];
  return knownLocations(stored, crbId).flatMap((id) => pastDaysOf(ended, stored, crbId, id, days, world.clock));
}

/** What is not as it must be when nobody writes. */
async function faults(setting: Setting, stored: Stored): Promise<string[]> {
  const { bare, business, chance, ended } = setting;
  const { crbId, posType } = business.connection;
  const window = { from: chance.pick(["2025-01-01", "2026-01-01"]), to: chance.pick(["2026-12-31", "2027-01-01"]) };
  const page = chance.percent(50) ? { offset: 0, limit: 1_000 } : { offset: 3, limit: 5 };
  const readings = readingsOf(crbId, posType, knownLocations(stored, crbId), window, chance.between(1, 4));
  const past = pastDays(setting, stored);
  const found = await Promise.all([
    ...readings.map((reading) => faultsOf(reading, bare, stored, page)),
    ...past.map((day) => faultsOfDay(day, bare, chance.pick([3, 10, 100]))),
    business.faultsOfTurns(),
    business.faultsOfFreshness(stored),
  ]);
  return [
    ...found.flat(),
    ...faultsOfEntries([...stored.values()].flat(), crbId, chapterSize),
    ...faultsOfInventory(stored, crbId, locationIds(crbId, posType)),
    ...faultsOfLeases(stored, crbId),
    ...ended.faultsOfRecords(stored),
    ...ended.faults,
  ];
}
