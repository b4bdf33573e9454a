import type { DeliveryOutcome, DeliveryRequest } from "../../../shared/domain/webhooks/sendDelivery.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import type { RealRules } from "../realRules/realRules.ts";

const second = 1_000;

/** The behavior of a receiver for a while. */
const moods = ["takes", "takes", "takes", "refuses", "hangs", "lies", "poisoned", "moody"] as const;
type Mood = (typeof moods)[number];

/** The response, and the milliseconds until it is sent. */
type Answer = DeliveryOutcome & { after: number };

/** Receivers of webhooks, by url. Some fail, hang, accept events without saying so, and recover. */
export class Receivers {
  /** the events that each has accepted, reported or not, in order */
  readonly taken = new Map<string, ReceivedEvent[]>();
  readonly #moods = new Map<string, Mood>();
  readonly #chance: Dice;
  readonly #world: RealRules;
  attempts = 0;
  failed = 0;

  constructor(chance: Dice, world: RealRules) {
    this.#chance = chance;
    this.#world = world;
  }

  /** Changes the behavior of each receiver. */
  change(urls: readonly string[]): void {
    for (const url of urls) this.#moods.set(url, this.#chance.pick(moods));
  }

  calm(): void {
    this.#moods.clear();
  }

  /** Replaces the network and the receiver. */
  async receive({ url, body }: DeliveryRequest): Promise<DeliveryOutcome> {
    const { clock } = this.#world;
    const event = JSON.parse(body) as ReceivedEvent;
    const answer = await this.#world.call("attempt", async () => this.#answer(url, event));
    await clock.sleep(answer.after);
    await this.#world.call("answer", async () => undefined);
    this.attempts++;
    if (answer.error) this.failed++;
    return { statusCode: answer.statusCode, error: answer.error };
  }

  #answer(url: string, event: ReceivedEvent): Answer {
    const chance = this.#chance;
    const mood = this.#moods.get(url) ?? "takes";
    const take = () => void this.taken.set(url, [...(this.taken.get(url) ?? []), event]);
    const timeout: Answer = { statusCode: null, error: "timeout", after: 10 * second };
    const refused: Answer = {
      statusCode: chance.pick([400, 500, 503]),
      error: "status",
      after: chance.between(1, 300),
    };
    const isPoison = event.id.charCodeAt(0) % 4 === 0;
    if (mood === "hangs") return timeout;
    if (mood === "refuses" || (mood === "poisoned" && isPoison)) return refused;
    if (mood === "moody" && chance.percent(40)) return chance.pick([timeout, refused]);
    take();
    // The receiver took the event but reports a failure.
    if (mood === "lies" && chance.percent(60)) return chance.pick([timeout, { ...refused, statusCode: 502 }]);
    return { statusCode: 200, error: null, after: chance.between(1, 400) };
  }
}
