import { AsyncLocalStorage } from "node:async_hooks";
import { type SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Dice } from "../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../shared/table/client.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { interceptCalls, type TestClock } from "../shared/table/rankedList/listUnderTest.ts";

/** What becomes of every call of a worker that was killed: to whatever runs on, nothing answers any more. */
class Killed extends Error {}

/** A message as it is sent; `readyAt` in epoch milliseconds. */
export interface Sent {
  body: string;
  readyAt: number;
}

/** How a worker fares. */
export interface Fate {
  /** it is killed before its next call after so many; never when not given */
  calls?: number;
  /** in how many of a hundred cases another worker goes on before its call */
  interrupted?: number;
}

interface Life extends Fate {
  made: number;
  isDead: boolean;
}

/**
 * Workers whose every call (of the table, of a POS, of the queue) can be their last, and who go on in turns: of several
 * at once one makes its calls, until before one of them it is another's turn. So what happens follows from the chance
 * that is given, not from the machine.
 */
export class Workers {
  /** called before a worker loses its turn to another: the time to let time pass */
  onInterruption: () => void = () => undefined;
  /** what the workers have put into the queue */
  sent: Sent[] = [];
  calls = 0;
  kills = 0;
  interruptions = 0;
  readonly #present = new AsyncLocalStorage<Life>();
  readonly #clock: TestClock;
  readonly #chance: Dice;
  #running: Life[] = [];
  #turn: Life | undefined;
  #waiting: (() => void)[] = [];

  /** @param table whose client is the workers' own, since hooks on it stay */
  constructor(clock: TestClock, chance: Dice, table: Table) {
    this.#clock = clock;
    this.#chance = chance;
    interceptCalls(table).before = () => this.#beforeCall();
  }

  /** Time as workers see it: it does not pass while a dead one sleeps. */
  readonly clock: Clock = {
    now: () => this.#clock.now(),
    sleep: async (milliseconds) => {
      if (!this.#present.getStore()?.isDead) this.#clock.advance(milliseconds);
    },
  };

  /**
   * Does work side by side, each as a worker of its own.
   *
   * @returns for each whether it came to its end without an error
   */
  async run(jobs: readonly { work: () => Promise<unknown>; fate?: Fate }[]): Promise<boolean[]> {
    const lives: Life[] = jobs.map(({ fate }) => ({ ...fate, made: 0, isDead: false }));
    this.#running = [...lives];
    this.#turn = lives[0];
    const ends = lives.map(async (life, i) => {
      try {
        await this.#present.run(life, async () => jobs[i]?.work());
        return !life.isDead;
      } catch {
        return false;
      } finally {
        this.#running = this.#running.filter((other) => other !== life);
        if (this.#turn === life) this.#pass(this.#running[0]);
      }
    });
    return Promise.all(ends);
  }

  /** Puts the workers' hooks around all requests to a POS and to the queue, which then ends here, until `release`. */
  watch(): { release(): void } {
    const { fetch } = globalThis;
    const { send } = SQSClient.prototype;
    globalThis.fetch = async (...call) => {
      await this.#beforeCall();
      return fetch(...call);
    };
    SQSClient.prototype.send = (async ({ input }: SendMessageBatchCommand) => {
      await this.#beforeCall();
      for (const { MessageBody = "", DelaySeconds = 0 } of input.Entries ?? []) {
        this.sent.push({ body: MessageBody, readyAt: this.#clock.time + DelaySeconds * 1_000 });
      }
      return { Failed: [] };
    }) as typeof send;
    return {
      release: () => {
        globalThis.fetch = fetch;
        SQSClient.prototype.send = send;
      },
    };
  }

  async #beforeCall(): Promise<void> {
    const life = this.#present.getStore();
    if (!life) return;
    await this.#turnOf(life);
    this.calls++;
    if (!life.isDead && life.made++ === life.calls) {
      life.isDead = true;
      this.kills++;
    }
    if (life.isDead) throw new Killed();
    const other = this.#running.find((running) => running !== life && !running.isDead);
    if (other && this.#chance.percent(life.interrupted ?? 0)) {
      this.interruptions++;
      this.onInterruption();
      this.#pass(other);
      await this.#turnOf(life);
    }
  }

  async #turnOf(life: Life): Promise<void> {
    while (this.#turn && this.#turn !== life) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #pass(to: Life | undefined): void {
    this.#turn = to;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
