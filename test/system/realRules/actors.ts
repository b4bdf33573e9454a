import type { Dice } from "../../../shared/pos/sandbox/dice.ts";

/** What becomes of every call of an actor that was killed: to whatever runs on, nothing answers any more. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Somebody who works on the table beside others: a process, in the world outside. */
export interface Job {
  name: string;
  work: () => Promise<unknown>;
  /** by how many milliseconds its clock is ahead; by chance when not given */
  skew?: number;
  /** it is killed at its next call after so many, before that is sent; never when not given */
  crashAfterCalls?: number;
}

/** How an actor's work ended: with a value, with an error, or not at all, since it was killed. */
export interface Outcome {
  name: string;
  killed: boolean;
  /** how many it made, which is at how many it could have been killed */
  calls: number;
  value?: unknown;
  error?: unknown;
}

/** An actor as the scheduler sees it. */
export interface Actor {
  name: string;
  skew: number;
  /** what `Math.random` gives it */
  random: Dice;
  calls: number;
  maxCalls: number;
  isDead: boolean;
  parked: number;
}

/** A call under way, which can let time pass; outside of actors nobody else goes on meanwhile. */
export interface Strand {
  chance: Dice;
  /** who makes the call, undefined outside of actors, and the epoch milliseconds by that actor's clock when it began */
  actor: string | undefined;
  actorTime: number;
  /** as long as a message takes on its way */
  pass(): Promise<void>;
  park(milliseconds: number): Promise<void>;
  /** a line of the history */
  log(line: string): void;
}

export function newActor(name: string, random: Dice, maxCalls = Number.POSITIVE_INFINITY): Actor {
  return { name, random, skew: 0, calls: 0, maxCalls, isDead: false, parked: 0 };
}
