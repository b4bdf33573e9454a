import type { Dice } from "../../../shared/pos/sandbox/dice.ts";

/** The error of every call of a killed actor: code that continues gets no more responses. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** A simulated process that works on the table concurrently with others. */
export interface Job {
  name: string;
  work: () => Promise<unknown>;
  /** milliseconds that its clock is ahead; random when absent */
  skew?: number;
  /** number of calls after which it is killed, before the next one is sent; never when absent */
  crashAfterCalls?: number;
}

/** The end of an actor's work: a value, an error, or neither if it was killed. */
export interface Outcome {
  name: string;
  killed: boolean;
  /** number of its calls; it could have been killed at each */
  calls: number;
  value?: unknown;
  error?: unknown;
}

/** The scheduler's view of an actor. */
export interface Actor {
  name: string;
  skew: number;
  /** results of `Math.random` for it */
  random: Dice;
  calls: number;
  maxCalls: number;
  isDead: boolean;
  parked: number;
}

/** A call in progress, which can let virtual time pass. Calls outside actors run alone. */
export interface Strand {
  chance: Dice;
  /** the caller, undefined outside of actors, and the epoch milliseconds by its clock at the start of the call */
  actor: string | undefined;
  actorTime: number;
  /** waits as long as a message takes to arrive */
  pass(): Promise<void>;
  park(milliseconds: number): Promise<void>;
  /** adds a line to the history */
  log(line: string): void;
}

export function newActor(name: string, random: Dice, maxCalls = Number.POSITIVE_INFINITY): Actor {
  return { name, random, skew: 0, calls: 0, maxCalls, isDead: false, parked: 0 };
}
