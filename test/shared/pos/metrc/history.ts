import { isDeepStrictEqual } from "node:util";
import { PosError } from "../../../../shared/pos/connector.ts";
import { readStateDays, type StateDaysReading } from "../../../../shared/pos/metrc/readStateDays.ts";
import { confirmStateDay, type StateDay, type StoredStateDay } from "../../../../shared/pos/metrc/stateDay.ts";
import { type Dice, dice } from "../../../../shared/pos/sandbox/dice.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { localDay } from "../../../../shared/time/localTime.ts";
import { FakeMetrc } from "../fakes/fakeMetrc.ts";
import type { FakeRequest, Fault } from "../fakes/fakeServer.ts";
import { seededFaults } from "../fakes/seededFaults.ts";

const hourMs = 3_600_000;
/** number of days that the service keeps */
const days = 25;

const html: Fault = { kind: "answer", answer: { status: 401, body: "<html>401 - Unauthorized</html>" } };
const limited = (seconds: string): Fault => ({
  kind: "answer",
  answer: { status: 429, headers: { "retry-after": seconds }, body: "" },
});

/** Some weeks of a facility, and a service that reads it as the worker does: each run can fail, and comes again later. */
export class History {
  now = new Date("2026-03-20T18:30:00.000Z");
  readonly metrc: FakeMetrc;
  readonly stored = new Map<string, StoredStateDay>();
  /** the texts of everything that left the reader */
  readonly texts: string[] = [];
  failures = 0;
  readonly #chance: Dice;
  readonly #seed: number;
  #since: string | null = null;
  #unreadFrom: string | null = null;

  constructor(seed: number) {
    this.#seed = seed;
    this.#chance = dice("history", seed);
    this.metrc = new FakeMetrc(seed, () => this.now);
    const day = 24 * hourMs;
    this.metrc.facility.habits = {
      isCamelCase: this.#chance.percent(50),
      isBare: this.#chance.percent(20),
      isNewestFirst: this.#chance.percent(50),
      keepsDateWhenFinal: this.#chance.percent(30),
      maxWindowMs: this.#chance.pick([day, 7 * day, 60 * day]),
    };
  }

  get today(): string {
    return localDay(this.now, this.metrc.access.timeZone);
  }

  /** From now on, requests fail at random, and receipts change while they are read. */
  disturb(cutShare: number): void {
    const { metrc } = this;
    const common = seededFaults(this.#seed, 6);
    metrc.cutShare = cutShare;
    metrc.faults = (request) => this.#fault() ?? common(request);
    metrc.beforeAnswer = (request: FakeRequest) => {
      this.#pass(this.#chance.between(0, 1_000));
      if (request.path.startsWith("/sales") && this.#chance.percent(8)) metrc.change();
    };
  }

  calm(): void {
    this.metrc.cutShare = 0;
    this.metrc.faults = () => undefined;
    this.metrc.beforeAnswer = () => undefined;
  }

  #fault(): Fault | undefined {
    const roll = this.#chance.between(1, 1_000);
    if (roll <= 10) return html;
    if (roll <= 20) return limited(this.#chance.pick(["0", "3", "86400", "soon"]));
    return roll <= 21 ? { kind: "slow", milliseconds: 400 } : undefined;
  }

  #pass(milliseconds: number): void {
    this.now = new Date(this.now.getTime() + milliseconds);
  }

  /** Some hours in which the shop sells. */
  trade(hours: number, changes: number): void {
    for (let change = 0; change < changes; change++) {
      this.metrc.change();
      this.#pass((hours * hourMs) / changes);
    }
  }

  /** One run of the worker. @param isFull whether it reads all days again */
  async run(isFull = false): Promise<boolean> {
    const waiting = [...this.stored.values()].filter(({ unconfirmed }) => unconfirmed).map(({ day }) => day.date);
    const again = [...waiting, ...(this.#unreadFrom === null ? [] : [this.#unreadFrom])].sort();
    const deadline = this.now.getTime() + this.#chance.pick([60_000, 600_000, 900_000]);
    try {
      const reading = await readStateDays(
        {
          ...this.metrc.access,
          fromDate: addDays(this.today, -days),
          toDate: this.today,
          since: isFull ? null : this.#since,
          againFrom: again[0] ?? null,
          remainingMs: () => deadline - this.now.getTime(),
        },
        {
          url: this.metrc.url,
          clock: { now: () => this.now, sleep: async (milliseconds) => this.#pass(milliseconds) },
          timeoutMs: 300,
          requestsPerSecond: Number.POSITIVE_INFINITY,
        },
      );
      this.#store(reading);
      return true;
    } catch (error) {
      if (!(error instanceof PosError)) throw error;
      this.failures++;
      this.texts.push(`${error.message} ${error.code} ${error.stack} ${JSON.stringify(error)}`);
      return false;
    }
  }

  #store({ days, asOf, unreadFrom }: StateDaysReading): void {
    this.texts.push(JSON.stringify(days));
    for (const day of days) this.stored.set(day.date, confirmStateDay(this.stored.get(day.date), day));
    for (const [date, { day, ...rest }] of this.stored) {
      const isUnread = unreadFrom !== null && date >= unreadFrom && date < (days[0]?.date ?? this.today);
      if (isUnread) this.stored.set(date, { ...rest, day: { ...day, complete: false } });
    }
    this.#since = asOf;
    this.#unreadFrom = unreadFrom;
  }

  /** The stored days from which the facility differs, with both figures. */
  differences(): object[] {
    const from = addDays(this.today, -days);
    return Array.from({ length: days + 1 }, (_, index) => addDays(from, index)).flatMap((date) => {
      const expected = this.metrc.figuresOf(date);
      const found = this.stored.get(date)?.day;
      const { complete: _, digest: __, dataAsOf: ___, ...figures } = found ?? ({} as StateDay);
      return isDeepStrictEqual(figures, expected) ? [] : [{ found, expected }];
    });
  }
}
