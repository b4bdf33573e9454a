import { AsyncLocalStorage } from "node:async_hooks";
import { type Dice, dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { type Actor, type Job, Killed, newActor, type Outcome, type Strand } from "./actors.ts";
import type { Figures } from "./figures.ts";

interface Parked {
  at: number;
  number: number;
  actor: Actor;
  wake: () => void;
}

/** The present actor and its world. */
const present = new AsyncLocalStorage<{ actor: Actor; world: Scheduler }>();

/** Makes a call in the world of the present actor; outside of actors, no time passes. */
export function callByPresentActor<T>(what: string, request: () => Promise<T>): Promise<T> {
  const world = present.getStore()?.world;
  return world ? world.call(what, request) : request();
}

// Patched once for all worlds, since several may run concurrently. The numbers that actors draw follow from their
// seeds.
const { random } = Math;
Math.random = () => {
  const actor = present.getStore()?.actor;
  return actor ? actor.random.between(0, 999_999) / 1_000_000 : random();
};

/**
 * Virtual time and its actors. Every call of an actor waits at each of its points until virtual time reaches it. One
 * actor runs at a time, and only when all others wait, so results follow from the seed, not from the machine. Actors
 * must wait for each other only through the table; otherwise all would block.
 */
export class Scheduler {
  time: number;
  readonly history: string[] = [];
  readonly #start: number;
  readonly #seed: string | number;
  readonly #figures: Figures;
  /** runs the calls whose sender no longer waits for them */
  readonly #network = newActor("network", dice("network"));
  readonly #alive = new Set<Actor>();
  readonly #late = new Set<Promise<unknown>>();
  readonly #waiting = new Map<Parked, string>();
  #queue: Parked[] = [];
  #busy = 0;
  #number = 0;
  #isDue = false;

  constructor(seed: string | number, start: number, figures: Figures) {
    this.time = start;
    this.#start = start;
    this.#seed = seed;
    this.#figures = figures;
  }

  /** Time by the present actor's clock. */
  readonly clock: Clock = {
    now: () => new Date(this.time + (this.#present?.skew ?? 0)),
    sleep: async (milliseconds) => {
      if (this.#present?.isDead) throw new Killed();
      await this.#enter("sleep", async (strand) => {
        await strand.park(milliseconds);
        this.#correctClock(strand.chance);
      });
    },
  };

  /** Waits for a signal, for at most this number of milliseconds. */
  async signalOf(name: string, milliseconds: number): Promise<void> {
    await this.#enter("wait", (strand) => {
      const isOver = strand.park(milliseconds);
      // The waiting actor is the last one in the queue.
      const parked = this.#queue.at(-1);
      if (parked) this.#waiting.set(parked, name);
      return isOver;
    });
  }

  /** Resumes all actors that wait for a signal. */
  signal(name: string): void {
    for (const [parked, awaited] of this.#waiting) {
      if (awaited !== name) continue;
      parked.at = Math.min(parked.at, this.time);
      this.#waiting.delete(parked);
    }
  }

  /** Whether another actor may run during a call. */
  get hasCompany(): boolean {
    return this.#alive.size > 1 || this.#queue.length > 0;
  }

  /** Sometimes corrects the present actor's clock, which then has another offset. */
  #correctClock(chance: Dice): void {
    const { clockCorrections, skew } = this.#figures;
    const actor = this.#present;
    if (actor && chance.percent(clockCorrections)) actor.skew = chance.between(-skew, skew);
  }

  /** The present actor of this world. */
  get #present(): Actor | undefined {
    const { actor, world } = present.getStore() ?? {};
    return world === this ? actor : undefined;
  }

  /** Runs actors concurrently until all have ended and all their requests have arrived. */
  async run(jobs: readonly Job[]): Promise<Outcome[]> {
    const outcomes = await Promise.all(jobs.map((job) => this.#active(job)));
    while (this.#late.size > 0) await Promise.all(this.#late);
    return outcomes;
  }

  async #active({ name, work, ...job }: Job): Promise<Outcome> {
    const random = dice("real rules", this.#seed, name);
    const actor = newActor(name, random, job.crashAfterCalls);
    actor.skew = job.skew ?? random.between(-this.#figures.skew, this.#figures.skew);
    this.#alive.add(actor);
    return present.run({ actor, world: this }, async () => {
      const end: Pick<Outcome, "value" | "error"> = {};
      try {
        await this.#enter("start", (strand) => strand.pass());
        end.value = await work();
      } catch (error) {
        end.error = error;
      } finally {
        this.#alive.delete(actor);
        this.#plan();
      }
      return { name, killed: actor.isDead, calls: actor.calls, ...(actor.isDead ? {} : end) };
    });
  }

  /** Makes a call. The actor can be killed before it is sent, or before its response arrives. */
  async call<T>(what: string, work: (strand: Strand) => Promise<T>): Promise<T> {
    const actor = this.#present;
    if (actor && !actor.isDead && actor.calls === actor.maxCalls) this.#kill(actor);
    if (actor?.isDead) throw new Killed();
    if (actor) actor.calls++;
    // Also between a decision by the clock and the call that it permits.
    if (actor) this.#correctClock(dice("corrections", this.#seed, actor.name, actor.calls));
    return this.#enter(what, async (strand) => {
      await strand.pass();
      if (actor?.isDead) throw new Killed();
      const [end] = await Promise.allSettled([work(strand)]);
      await strand.pass();
      this.#correctClock(strand.chance);
      if (actor?.isDead) throw new Killed();
      if (end.status === "rejected") throw end.reason;
      return end.value;
    });
  }

  /** Runs work that no actor waits for; its failure is ignored. */
  later(what: string, work: (strand: Strand) => Promise<unknown>): void {
    const end = present
      .run({ actor: this.#network, world: this }, () => this.#enter(what, work))
      .catch((error) => this.history.push(this.#line(this.#network, `${what} fails: ${error}`)))
      .finally(() => this.#late.delete(end));
    this.#late.add(end);
  }

  #kill(actor: Actor): void {
    actor.isDead = true;
    this.#alive.delete(actor);
    for (const parked of this.#queue) if (parked.actor === actor) parked.at = this.time;
    this.history.push(this.#line(actor, "is killed"));
  }

  async #enter<T>(what: string, work: (strand: Strand) => Promise<T>): Promise<T> {
    const actor = this.#present;
    const chance = dice("real rules", this.#seed, this.#number++);
    const park = (milliseconds: number) => this.#park(actor, milliseconds);
    this.#busy++;
    try {
      return await work({
        chance,
        actor: actor?.name,
        actorTime: this.clock.now().getTime(),
        park,
        pass: () => park(this.#delay(chance, actor !== undefined)),
        log: (line) => this.history.push(this.#line(actor, `${what} ${line}`)),
      });
    } finally {
      this.#busy--;
      this.#plan();
    }
  }

  #delay(chance: Dice, canStall: boolean): number {
    const { latency, stalls, stall } = this.#figures;
    return canStall && chance.percent(stalls) ? someOf(chance, stall) : chance.between(1, latency);
  }

  async #park(actor: Actor | undefined, milliseconds: number): Promise<void> {
    const at = this.time + milliseconds;
    if (!actor) {
      this.time = at;
      return;
    }
    actor.parked++;
    this.#busy--;
    await new Promise<void>((wake) => {
      this.#queue.push({ at: actor.isDead ? this.time : at, number: this.#number++, actor, wake });
      this.#plan();
    });
  }

  /** Runs later, after actors with a response have made their next calls. */
  #plan(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#busy > 0 || [...this.#alive].some((actor) => actor.parked === 0)) return;
    const [next] = this.#queue.sort((a, b) => a.at - b.at || a.number - b.number);
    if (!next) return;
    this.#queue = this.#queue.slice(1);
    this.time = Math.max(this.time, next.at);
    next.actor.parked--;
    this.#busy++;
    next.wake();
  }

  #line(actor: Actor | undefined, text: string): string {
    return `${((this.time - this.#start) / 1_000).toFixed(3)} ${actor?.name ?? "-"}: ${text}`;
  }
}

/** A number up to `most`, usually small: each order of magnitude is equally likely. */
export function someOf(chance: Dice, most: number): number {
  return Math.round(most ** (chance.between(0, 1_000) / 1_000));
}
