import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Insight } from "../../../../shared/api/schemas/insight.ts";
import { decideInsight } from "../../../../shared/domain/insights/decideInsight.ts";
import { sweepInsights } from "../../../../shared/domain/insights/sweepInsights.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import type { RawItem, Table } from "../../../../shared/store/client.ts";
import { insightsPartition } from "../../../../shared/store/keys/insights.ts";
import { addDays } from "../../../../shared/time/addDays.ts";
import { storeCrb } from "../../../crbRecord.ts";
import { storedEvents } from "../../../storedEvents.ts";
import { resetTable } from "../../../tableCopy.ts";
import { scanRaw } from "../../../tableState.ts";
import { testConnection } from "../../pos/sandbox/testConnection.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { plainSale, ScriptedPos } from "../replication/scriptedPos.ts";

/** A Monday. */
const openingDay = "2026-03-02";
/** A Wednesday nine weeks later. */
export const lastDay = "2026-05-06";

/** The credential that decides insights. */
export const decidedBy = { clientId: "3d1f7a86-52c9-4be0-9f17-c8a60d2e5b43" };

/** A shop in Denver that sells four times a day, with its POS and its insights. */
export class InsightShop {
  readonly connection: Connection;
  readonly spId: string;
  readonly clock = new TestClock(`${addDays(lastDay, 1)}T12:00:00.000Z`);
  readonly pos = new ScriptedPos(500);
  readonly #table: Table;

  constructor(table: Table, { crbId, spId } = { crbId: randomUUID() as string, spId: randomUUID() as string }) {
    this.#table = table;
    this.connection = { ...testConnection, crbId };
    this.spId = spId;
  }

  /** The same shop with the state of this one's clock and POS. */
  copy(): InsightShop {
    const copy = new InsightShop(this.#table, this);
    copy.clock.time = this.clock.time;
    copy.pos.put("sale", ...this.pos.everHeld("sale"));
    return copy;
  }

  get crbId(): string {
    return this.connection.crbId;
  }

  async open(): Promise<this> {
    await storeCrb(this.#table, this.connection, { spId: this.spId, clock: this.clock });
    return this;
  }

  /** The usual sales from the opening to a day. */
  static usualSales(until: string = lastDay): PosSale[] {
    const sales: PosSale[] = [];
    for (let day = openingDay as string; day <= until; day = addDays(day, 1)) {
      for (const number of [1, 2, 3, 4]) sales.push(saleOf(day, number));
    }
    return sales;
  }

  async replicate(): Promise<void> {
    this.clock.advance(60_000);
    const options = { clock: this.clock };
    expect(await replicate(this.#table, this.connection, this.pos, "sale", options)).toMatchObject({
      outcome: "finished",
    });
  }

  /** A run of replication and the sweep after it. */
  async run(): Promise<void> {
    await this.replicate();
    expect(await sweepInsights(this.#table, { clock: this.clock })).toMatchObject({ failures: 0 });
  }

  /** The next day, at whose beginning the usual sales of the day before are complete. */
  async runOnNextDay(): Promise<void> {
    const day = this.clock.now().toISOString().slice(0, 10);
    this.pos.put("sale", ...[1, 2, 3, 4].map((number) => saleOf(day, number)));
    this.clock.advance(86_400_000);
    await this.run();
  }

  async insights(): Promise<Insight[]> {
    const items = await this.#table.queryPartition(insightsPartition(this.crbId), { consistent: true });
    return items.flatMap(({ insight }) => (insight ? [JSON.parse(insight as string) as Insight] : []));
  }

  /** Decides an insight, by default the first one. */
  async decide(status: "explained" | "escalated", note = "The annual sale", insight?: Insight): Promise<void> {
    const { id, revision } = insight ?? (await this.insights())[0] ?? expect.fail("no insight");
    const path = { sp_id: this.spId, insight_id: id };
    await decideInsight(this.#table, path, { status, note, revision }, decidedBy, this.clock);
  }

  /** The events about insights, as one text each. */
  async events(): Promise<string[]> {
    return (await this.eventsOfInsights()).map(({ type, code }) => `${type} ${code}`);
  }

  /** The events about insights, in their order. */
  async eventsOfInsights(): Promise<{ type: string; insight_id: string; code: string }[]> {
    const events = (await storedEvents(this.#table, this)).filter(({ type }) => type.startsWith("insight."));
    return events.map(({ type, data }) => ({ type, ...(data as { insight_id: string; code: string }) }));
  }
}

/**
 * Makes the same shop for several tests of a file: from the second one on, the table gets the items of the first one, and no
 * others. That takes a fifth of the time of replicating the usual sales.
 *
 * @param prepare what the shop has done before
 */
export function useShop(table: () => Table, prepare: (shop: InsightShop) => Promise<unknown>) {
  let first: { shop: InsightShop; items: readonly RawItem[] } | undefined;
  return async (): Promise<InsightShop> => {
    if (first) {
      await resetTable(table(), first.items);
      return first.shop.copy();
    }
    const shop = await new InsightShop(table()).open();
    await prepare(shop);
    first = { shop: shop.copy(), items: await scanRaw(table()) };
    return shop;
  };
}

/** Three times the usual sales of a day, of the usual amounts. */
export const busyDay = (day: string) => Array.from({ length: 12 }, (_, i) => saleOf(day, i + 1));

/** A sale of a day at noon. Each sale has another customer and, as far as possible, another total. */
export function saleOf(day: string, number: number, { total = 2_000 + number, version = 0 } = {}): PosSale {
  const id = `${day}-${number}`;
  const plain = plainSale(id, version, `${day}T18:${String(number % 60).padStart(2, "0")}:00.000Z`, `c${id}`);
  return {
    ...plain,
    subtotal: total,
    total_paid: total,
    line_items: plain.line_items.map((line) => ({ ...line, price_per_unit: total })),
    payments: [{ type: "cash", amount_paid: total }],
  } as PosSale;
}
