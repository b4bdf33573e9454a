import { ServiceError } from "../../../shared/api/errors.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import type { Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { readEvents } from "../../../shared/store/eventLog/readEvents.ts";
import type { Job } from "../realRules/actors.ts";
import type { Outages } from "./outages.ts";

interface Event {
  type: string;
  data: { date: string; revision?: number; records?: number; total_paid?: number; digest?: string };
}

/** A client that follows the events, and reads each sales day that was completed or revised. */
export class SalesDayFollower {
  readonly #chance: Dice;
  readonly #crbId: string;
  readonly #outages: Outages;
  #cursor: string | undefined;
  /** number of sales days that it read because of an event */
  reads = 0;

  constructor(chance: Dice, crbId: string, outages: Outages) {
    this.#chance = chance;
    this.#crbId = crbId;
    this.#outages = outages;
  }

  /** The follower in some rounds. */
  jobs(round: number, table: Table): Job[] {
    const work = async () => {
      for (let pages = this.#chance.between(1, 3); pages > 0; pages--) {
        await this.#readPage(table).catch((error) => {
          // A cursor is valid for 30 days.
          if (error instanceof ServiceError && error.kind === "invalid") this.#cursor = undefined;
          else if (!this.#outages.take(error)) throw error;
        });
        await table.clock.sleep(this.#chance.between(0, 2_000));
      }
    };
    return this.#chance.percent(80) ? [{ name: `follower ${round}: sales days`, work }] : [];
  }

  /** @throws Error for an event that disagrees with the list of sales days */
  async #readPage(table: Table): Promise<void> {
    const spId = (await readCrb(table, this.#crbId))?.serviceProviderId ?? "";
    const { events, cursor } = await readEvents(table, spId, { cursor: this.#cursor, limit: 100 });
    for (const event of events.map((text) => JSON.parse(text) as Event)) {
      // A day with flagged sales need not be complete.
      if (/^sales_day\.(completed|revised)$/.test(event.type)) await this.#compare(table, event);
    }
    this.#cursor = cursor;
  }

  async #compare(table: Table, { type, data: { date, revision = 0, ...totals } }: Event): Promise<void> {
    this.reads++;
    const window = { start_date: date, end_date: date, offset: 0, limit: 1 };
    const [day] = (await readSalesDays(table, this.#crbId, window)).days;
    const listed = JSON.stringify(day);
    if (!day?.complete || day.revision < revision) throw new Error(`${type} of ${date}, ${revision}: ${listed}`);
    const { records, total_paid, digest } = day;
    const isSame = JSON.stringify(totals) === JSON.stringify({ records, total_paid, digest });
    if (day.revision === 0 && !isSame) throw new Error(`${type} ${JSON.stringify(totals)}: ${listed}`);
  }
}
