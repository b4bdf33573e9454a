import type { Calls } from "./orderedList/listUnderTest.ts";

// A process that dies leaves the table as its last write has made it: which read it was at makes no difference. So it is
// enough to let it die before and after each of its writes; both, since calls may be under way side by side.

/** At which side of a write a process dies: before the engine gets it, or before its answer arrives. */
export const sides = ["before", "after"] as const;

/** Whether a command writes to the table. */
export const isWrite = (command: string) => /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command);

/** Lets all calls pass again. */
export function letCallsPass(calls: Calls): void {
  calls.before = () => undefined;
  calls.after = () => undefined;
}

/** How many writes a piece of work makes. */
export async function writesOf(calls: Calls, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  calls.before = (command) => void (isWrite(command) && count++);
  await work();
  letCallsPass(calls);
  return count;
}

/** Lets the process die at a write, the first being 1: this call and all later ones throw "killed". */
export function crashAt(calls: Calls, write: number, side: (typeof sides)[number]): void {
  let count = 0;
  let dead = false;
  const die = (now: boolean) => {
    dead ||= now;
    if (dead) throw new Error("killed");
  };
  calls.before = (command) => die(isWrite(command) && ++count === write && side === "before");
  // Of writes side by side: the first answer once so many were sent.
  calls.after = (command) => die(isWrite(command) && count >= write && side === "after");
}
