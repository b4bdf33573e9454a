import { beforeEach, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { snapshotProgressKey } from "../../../../shared/store/keys/inventory.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { OutOfTimeError } from "../../../../shared/time/deadline.ts";
import { createTestTable } from "../../../testTable.ts";
import { crashAt, letCallsPass } from "../crashInjection.ts";
import { type Calls, interceptCalls, TestClock } from "../orderedList/listUnderTest.ts";
import { givenLocation } from "./snapshotsUnderTest.ts";

/** Three fill a chunk. */
const nameLength = 4_500;
const records = 600;
/** The number of writes before a worker is cut off: too few for a state of all records. */
const writesUntilCutOff = 120;
const numbers = (count: number, step = 1) => Array.from({ length: count }, (_, i) => i * step);

type Location = Awaited<ReturnType<typeof givenLocation>>;
type Keep = ReturnType<Location["end"]>;

let table: Table;
let calls: Calls;
let clock: TestClock;
let location: Location;
beforeEach(async () => {
  table = await createTestTable();
  calls = interceptCalls(table);
  clock = new TestClock("2025-06-01T16:00:00.000Z");
  location = await givenLocation(table, clock, nameLength);
});

/** Advances the clock by a millisecond with every stored part. */
function timeParts(): string[] {
  const stored: string[] = [];
  calls.before = (command, input) => {
    if (command !== "PutItemCommand") return;
    clock.time++;
    stored.push((input as { Item: { sk: { S: string } | string } }).Item.sk as string);
  };
  return stored;
}

/**
 * One worker that runs out of time with its first write.
 *
 * @returns whether it finished
 */
async function work(keep: Keep): Promise<boolean> {
  const [deadline, cutOff] = [1, writesUntilCutOff].map((later) => new Date(clock.time + later)) as [Date, Date];
  try {
    await keep({ deadline, cutOff });
    return true;
  } catch (error) {
    if (error instanceof OutOfTimeError) return false;
    throw error;
  }
}

/**
 * Runs workers until one finishes.
 *
 * @returns the number of workers
 */
async function workers(keep: Keep): Promise<number> {
  for (let count = 1; count < 30; count++) if (await work(keep)) return count;
  throw new Error("The workers do not finish.");
}

const present = async () => (await readPage(table, location.list, { offset: 0, limit: 10_000 })).records;

async function expectState(date: string, expected: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (let offset = 0; offset <= expected.length; offset += 170) {
    const page = await location.page(date, { offset, limit: 170 });
    expect(page.total).toBe(expected.length);
    found.push(...page.records);
  }
  expect(found).toEqual(expected);
}

test("a state too large for one worker is stored by several, and none repeats another's work", async () => {
  await location.write(numbers(records), 1);
  const [first, atFirst] = [location.today(), await present()];
  const stored = timeParts();
  expect(await workers(location.end())).toBeGreaterThan(3);
  expect(stored.length).toBeGreaterThan(records / 3);
  expect(new Set(stored).size).toBe(stored.length);
  letCallsPass(calls);
  await expectState(first, atFirst);

  // Chunks with some moved records, with all records gone, or unchanged; and new chunks before them.
  await location.write([...numbers(150, 4), ...numbers(150), ...numbers(records + 100).slice(records)], 2);
  const [second, atSecond] = [location.today(), await present()];
  const storedThen = timeParts();
  expect(await workers(location.end())).toBeGreaterThan(3);
  expect(new Set(storedThen).size).toBe(storedThen.length);
  letCallsPass(calls);
  await expectState(second, atSecond);
  await expectState(first, atFirst);
  expect(await table.get(snapshotProgressKey(location.crbId))).toBeUndefined();

  await location.write([7], 3);
  const [third, atThird] = [location.today(), await present()];
  expect((await location.keep()).writeUnits).toBeLessThan(40);
  await expectState(third, atThird);
  await expectState(second, atSecond);
});

test("a state is that of the list when it was finished, whichever workers were killed and whatever changed between them", async () => {
  await location.write(numbers(records), 1);
  for (let seed = 1; seed <= 2; seed++) {
    const chance = dice("hand-over", seed);
    await location.write(numbers(200, 3), seed * 100);
    const date = location.today();
    const keep = location.end();
    let changes = 2;
    for (let done = false; !done; ) {
      timeParts();
      if (chance.percent(30)) {
        crashAt(calls, chance.between(1, 70), chance.pick(["before", "after"]));
        done = await keep().then(
          () => true,
          (error: Error) => error.message !== "killed" && Promise.reject(error),
        );
      } else done = await work(keep);
      letCallsPass(calls);
      if (done || changes === 0 || chance.percent(50)) continue;
      changes--;
      await location.write([chance.between(0, records), 2_000 + seed * 10 + changes], seed * 100 + changes);
    }
    await expectState(date, await present());
  }
});

test("a table that throttles for a while delays a state, but does not end it", async () => {
  await location.write(numbers(60), 1);
  const [date, expected] = [location.today(), await present()];
  const throttled = new Map<string, number>();
  calls.before = (command, input) => {
    const call = command + JSON.stringify(input);
    const times = throttled.get(call) ?? 0;
    throttled.set(call, times + 1);
    const isOfState = ["PutItemCommand", "BatchGetItemCommand"].includes(command) || call.includes("byRank");
    if (isOfState && times < 3) throw new ServiceError("unavailable");
  };
  await location.end()();
  letCallsPass(calls);
  await expectState(date, expected);
});
