import type { Connection, PullPage } from "../../../shared/pos/connector.ts";
import { openConnection } from "../../../shared/pos/openConnection.ts";
import type { PosSale } from "../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import type { Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { demoBusinesses } from "../demoBusinesses.ts";
import { demoMetrcAccess } from "./demoMetrcAccess.ts";
import { MetrcFacility } from "./metrcFacility.ts";

const { record: business } = demoBusinesses[0] as (typeof demoBusinesses)[number];

/** A receipt is finalized this long after its sale. */
const openMs = 12 * 3_600_000;
/** The facility follows the POS at most this often. */
const refreshMs = 5_000;
/** The day on which sales have no receipt, in days before the business connected its POS. */
const variedDaysBefore = 4;

/**
 * The first demo business in Metrc. Its receipts are the sales in its simulated POS. On one day, every fifth sale has no receipt, so
 * that the state's total of that day differs.
 */
export class DemoMetrc {
  readonly facility = new MetrcFacility(demoMetrcAccess);
  readonly #table: Table;
  readonly #connector: ReturnType<typeof sandboxConnector>;
  #since: string | null = null;
  #refreshing = Promise.resolve();
  #refreshedAt = 0;

  /** @param tickSeconds the interval of the simulated POS */
  constructor(table: Table, tickSeconds: number) {
    this.#table = table;
    this.#connector = sandboxConnector(tickSeconds);
  }

  /** Adds the sales since the last call. */
  refresh(now = new Date()): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#follow(now));
    return this.#refreshing;
  }

  async #follow(now: Date): Promise<void> {
    if (now.getTime() - this.#refreshedAt < refreshMs) return;
    const crb = await readCrb(this.#table, business.id);
    const connection = crb && (await openConnection(this.#table, crb));
    if (!connection) return;
    const varied = addDays(localDay(new Date(connection.connectedAt), connection.timezone), -variedDaysBefore);
    for await (const sale of this.#sales(connection, now)) {
      const isOmitted =
        localDay(new Date(sale.date), connection.timezone) === varied && Number(sale.pos_sale_id) % 5 === 0;
      if (!isOmitted) this.#record(sale, now);
    }
    this.#finalize(now);
    this.#refreshedAt = now.getTime();
  }

  async *#sales(connection: Connection, now: Date): AsyncGenerator<PosSale> {
    let position: string | null = null;
    do {
      const page: PullPage<"sale"> = await this.#connector.pull(connection, {
        kind: "sale",
        since: this.#since,
        position,
        now,
      });
      yield* page.records;
      position = "position" in page.next ? page.next.position : null;
      if ("watermark" in page.next) this.#since = page.next.watermark;
    } while (position !== null);
  }

  #record({ pos_sale_id, date, total_paid, transaction_type, customer }: PosSale, now: Date): void {
    const [id, soldAt] = [Number(pos_sale_id), Date.parse(date)];
    const known = this.facility.receipts.get(id);
    const isVoided = transaction_type === "adjustment";
    if (known && !isVoided) return;
    const modifiedAt = this.#since === null ? soldAt : now.getTime();
    this.facility.put({
      id,
      soldAt,
      modifiedAt,
      cents: known?.cents ?? total_paid ?? 0,
      type: customer?.type === "medical" ? "Patient" : "Consumer",
      isFinal: known?.isFinal ?? false,
      archivedAt: isVoided ? modifiedAt : null,
    });
  }

  #finalize(now: Date): void {
    for (const receipt of this.facility.receipts.values()) {
      const modifiedAt = receipt.soldAt + openMs;
      if (receipt.isFinal || receipt.archivedAt !== null || modifiedAt > now.getTime()) continue;
      this.facility.put({ ...receipt, modifiedAt: Math.max(modifiedAt, receipt.modifiedAt), isFinal: true });
    }
  }
}
