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

/** Who is at work, and in which world. */
const present = new AsyncLocalStorage<{ actor: Actor; world: Scheduler }>();

// Once for all worlds, of which several may go on side by side: what actors draw follows from their seeds.
const { random } = Math;
Math.random = () => {
  const actor = present.getStore()?.actor;
  return actor ? actor.random.between(0, 999_999) / 1_000_000 : random();
};

/**
 * Virtual time, and who goes on in it: every call of an actor waits at each of its points until the virtual time has
 * come at which it arrives there. One at a time goes on, and only when all actors wait: so what happens follows from the
 * seed, not from the machine. Actors must not wait for each other but by the table, or nobody would ever go on.
 */
export class Scheduler {
  time: number;
  readonly history: string[] = [];
  readonly #start: number;
  readonly #seed: string | number;
  readonly #figures: Figures;
  /** answers for what is still on its way when its sender no longer waits for it */
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

  /** Time as the present actor sees it. */
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

  /** Waits for a signal, at most this many milliseconds. */
  async signalOf(name: string, milliseconds: number): Promise<void> {
    await this.#enter("wait", (strand) => {
      const isOver = strand.park(milliseconds);
      // The actor that waits is the last one in the queue.
      const parked = this.#queue.at(-1);
      if (parked) this.#waiting.set(parked, name);
      return isOver;
    });
  }

  /** Lets all go on who wait for a signal. */
  signal(name: string): void {
    for (const [parked, awaited] of this.#waiting) {
      if (awaited !== name) continue;
      parked.at = Math.min(parked.at, this.time);
      this.#waiting.delete(parked);
    }
  }

  /** Whether anybody else may go on while a call is under way. */
  get hasCompany(): boolean {
    return this.#alive.size > 1 || this.#queue.length > 0;
  }

  /** At times the present actor's clock is set, and is then off by another amount. */
  #correctClock(chance: Dice): void {
    const { clockCorrections, skew } = this.#figures;
    const actor = this.#present;
    if (actor && chance.percent(clockCorrections)) actor.skew = chance.between(-skew, skew);
  }

  /** Who is at work in this world. */
  get #present(): Actor | undefined {
    const { actor, world } = present.getStore() ?? {};
    return world === this ? actor : undefined;
  }

  /** Lets actors work side by side until all have ended, and all they have sent has arrived. */
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

  /** Makes a call, which can be the actor's last: a point before it is sent, and one before its answer is there. */
  async call<T>(what: string, work: (strand: Strand) => Promise<T>): Promise<T> {
    const actor = this.#present;
    if (actor && !actor.isDead && actor.calls === actor.maxCalls) this.#kill(actor);
    if (actor?.isDead) throw new Killed();
    if (actor) actor.calls++;
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

  /** Does what nobody waits for; its failure is told to nobody. */
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

  /** Later, when those who have just been answered have made their next calls. */
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

/** Up to so many, mostly few: each order of magnitude is as likely as the next one. */
export function someOf(chance: Dice, most: number): number {
  return Math.round(most ** (chance.between(0, 1_000) / 1_000));
}
