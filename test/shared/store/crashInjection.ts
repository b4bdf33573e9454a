import { fingerprintsPrefix } from "../../../shared/store/keys/orderedLists.ts";
import { isThorough, sampleCases } from "../../thorough.ts";
import type { Calls } from "./orderedList/listUnderTest.ts";

// A killed process leaves the table as its last write left it; reads make no difference. So killing it before and
// after each write covers all cases. Both are needed, since calls may run concurrently.

/** The side of a write on which a process is killed: before the engine receives it, or before its response arrives. */
export const sides = ["before", "after"] as const;

/** Whether a command writes to the table. */
export const isWrite = (command: string) => /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command);

/**
 * Whether a write counts. The number of fingerprint items depends on the random ids of records. They need no count: a process
 * that is killed at the write before or after leaves the same states.
 */
const isCounted = (command: string, input: unknown) =>
  isWrite(command) && !(/^(Put|TransactWrite)/.test(command) && JSON.stringify(input).includes(fingerprintsPrefix));

/** The distance between the calls at which a test kills a process: odd, so that both sides of a call alternate. */
export const crashStep = isThorough ? 1 : 9;

/** The writes of some work at which a test kills it, counted from 1: in `npm test` the one in the middle, and the last. */
export const crashPoints = (writes: number): number[] =>
  sampleCases([...Array(writes).keys()], 2).map((before) => before + 1);

/** A hook that lets a number of calls pass, of one client or several, and kills the process at each later one. */
export function killAfter(calls: number): () => void {
  let left = calls;
  return () => {
    if (--left < 0) throw new Error("killed");
  };
}

/** Lets all further calls pass. */
export function letCallsPass(calls: Calls): void {
  calls.before = () => undefined;
  calls.after = () => undefined;
}

/** The number of writes of some work. */
export async function writesOf(calls: Calls, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  calls.before = (command, input) => void (isCounted(command, input) && count++);
  await work();
  letCallsPass(calls);
  return count;
}

/** Kills the process at a write, the first being 1: this call and all later ones throw "killed". */
export function crashAt(calls: Calls, write: number, side: (typeof sides)[number]): void {
  let count = 0;
  let isKilled = false;
  const killIf = (now: boolean) => {
    isKilled ||= now;
    if (isKilled) throw new Error("killed");
  };
  calls.before = (command, input) => killIf(isCounted(command, input) && ++count === write && side === "before");
  // With concurrent writes: the first response after this number of writes was sent.
  calls.after = (command) => killIf(isWrite(command) && count >= write && side === "after");
}
