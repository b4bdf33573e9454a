import { AsyncLocalStorage } from "node:async_hooks";
import { type SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { createLostResponseError } from "./errors.ts";
import type { RealRules } from "./realRules.ts";

/** How long a message is hidden from others once it was received, in milliseconds; longer than most runs take. */
const hidden = 2 * 60_000;
/** A message that was received so often is given up, as the deployed queue does it. */
const maxReceives = 5;

/** A message in the queue; `readyAt` in epoch milliseconds. */
export interface Message {
  body: string;
  readyAt: number;
  received: number;
}

type Receive = (command: SendMessageBatchCommand) => Promise<unknown>;

/** What takes the messages of the work that is being done. */
const present = new AsyncLocalStorage<Receive>();

// Once for all queues, each of which takes what its own work sends.
const { send } = SQSClient.prototype;
SQSClient.prototype.send = function (this: SQSClient, ...sent: Parameters<typeof send>) {
  const receive = present.getStore();
  return receive ? receive(sent[0] as unknown as SendMessageBatchCommand) : send.apply(this, sent);
} as typeof send;

/**
 * A queue as SQS has them: messages come in any order, some twice, and again where nobody has worked them off in time.
 * Which ones follows from the chance that is given.
 */
export class MessageQueue {
  /** messages come in their order and once, and no send fails */
  isCalm = false;
  duplicates = 0;
  givenUp = 0;
  readonly #chance: Dice;
  #world: RealRules | undefined;
  #messages: Message[] = [];

  constructor(chance: Dice) {
    this.#chance = chance;
  }

  /** When the next message can be received, in epoch milliseconds; undefined where there is none. */
  get nextAt(): number | undefined {
    return this.#messages.length > 0 ? Math.min(...this.#messages.map(({ readyAt }) => readyAt)) : undefined;
  }

  /** Does some work, by a world's time, during which all that it puts into a queue comes here. */
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

  /** A message that is ready, hidden from now on until it is done or its time is over; undefined where there is none. */
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

  /** Works off one message after the other until none is left, those too that are held back. */
  async drain(work: (message: Message) => Promise<void>): Promise<void> {
    for (let at = this.nextAt; at !== undefined; at = this.nextAt) {
      await this.#clock.sleep(Math.max(1, at - this.#now));
      const message = this.receive();
      if (message) await work(message);
    }
  }

  /** Takes a message out that was worked off. */
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
