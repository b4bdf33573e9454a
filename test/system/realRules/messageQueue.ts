import { AsyncLocalStorage } from "node:async_hooks";
import { type SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { createLostResponseError } from "./errors.ts";
import type { RealRules } from "./realRules.ts";

/** Milliseconds that a received message is hidden from others; longer than most runs. */
const hidden = 2 * 60_000;
/** After this number of receives, a message is dropped, as in the deployed queue. */
const maxReceives = 5;

/** A message in the queue; `readyAt` in epoch milliseconds. */
export interface Message {
  body: string;
  readyAt: number;
  received: number;
}

type Receive = (command: SendMessageBatchCommand) => Promise<unknown>;

/** Receives the messages of the current work. */
const present = new AsyncLocalStorage<Receive>();

// Patched once for all queues. Each queue receives the messages of its own work.
const { send } = SQSClient.prototype;
SQSClient.prototype.send = function (this: SQSClient, ...sent: Parameters<typeof send>) {
  const receive = present.getStore();
  return receive ? receive(sent[0] as unknown as SendMessageBatchCommand) : send.apply(this, sent);
} as typeof send;

/**
 * A queue that behaves like SQS: messages arrive in any order, some twice, and again if not processed in time. The
 * given dice decide which.
 */
export class MessageQueue {
  /** whether messages arrive in order and once, and no send fails */
  isCalm = false;
  duplicates = 0;
  givenUp = 0;
  readonly #chance: Dice;
  #world: RealRules | undefined;
  #messages: Message[] = [];

  constructor(chance: Dice) {
    this.#chance = chance;
  }

  /** When the next message can be received, in epoch milliseconds; undefined if there is none. */
  get nextAt(): number | undefined {
    return this.#messages.length > 0 ? Math.min(...this.#messages.map(({ readyAt }) => readyAt)) : undefined;
  }

  /** Runs some work in a world's time. The messages that it sends arrive in this queue. */
  during<T>(world: RealRules, work: () => Promise<T>): Promise<T> {
    this.#world = world;
    const receive: Receive = ({ input }) =>
      world.call("SendMessageBatch", async () => {
        const isLost = !this.isCalm && this.#chance.percent(2);
        if (isLost && this.#chance.percent(50)) throw createLostResponseError(this.#chance);
        for (const { MessageBody = "", DelaySeconds = 0 } of input.Entries ?? []) {
          this.#messages.push({ body: MessageBody, readyAt: this.#now + DelaySeconds * 1_000, received: 0 });
        }
        if (isLost) throw createLostResponseError(this.#chance);
        return { Failed: [] };
      });
    return present.run(receive, work);
  }

  /** Returns a message that is ready, and hides it until it is done or its time is over; undefined if there is none. */
  receive(): Message | undefined {
    const ready = this.#messages.filter(({ readyAt }) => readyAt <= this.#now);
    const message = ready[this.isCalm ? 0 : this.#chance.between(0, Math.max(0, ready.length - 1))];
    if (!message) return undefined;
    if (++message.received > maxReceives) {
      this.givenUp++;
      this.done(message);
      return this.receive();
    }
    if (!this.isCalm && this.#chance.percent(25)) {
      this.duplicates++;
      this.#messages.push({ ...message });
    }
    message.readyAt = this.#now + hidden;
    return message;
  }

  /** Processes messages one after the other until none is left, delayed ones included. */
  async drain(work: (message: Message) => Promise<void>): Promise<void> {
    for (let at = this.nextAt; at !== undefined; at = this.nextAt) {
      await this.#clock.sleep(Math.max(1, at - this.#now));
      const message = this.receive();
      if (message) await work(message);
    }
  }

  /** Removes a processed message. */
  done(message: Message): void {
    this.#messages = this.#messages.filter((other) => other !== message);
  }

  get #clock(): Clock {
    if (!this.#world) throw new Error("messages come and go in a world only");
    return this.#world.clock;
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}
