import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection, Connector, PullPage, PullRequest } from "../../../shared/pos/connector.ts";
import type { PosCustomer, PosInventory, PosRecords, PosSale } from "../../../shared/pos/posRecords.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import { maxClockOffsetMs } from "../../../shared/store/client.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { plainCustomer, plainSale, ScriptedPos, voidSale } from "../../shared/domain/replication/scriptedPos.ts";
import { ScriptedStock, stockOf } from "../../shared/domain/replication/scriptedStock.ts";
import type { SimulatedKind } from "./readings.ts";

/** The days of sales, all near noon. They include two old New Years, so that a change can affect two past years. */
const saleDays = ["2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01", "2026-12-31"] as const;
const instantOf = (day: number) => `${saleDays[day]}T20:00:00.000Z`;
/** Number of different family names, and of named buyers. */
const families = 4;

/** The customer of most sales. */
const walkIn = 1;

/** The family name of a customer, shared with others. */
export function familyName(number: number): string {
  return `Plainlast of ${number % families}`;
}

/** Possible locations of stock, by the POS's ids; some exist at first. */
export const places: readonly string[] = ["101", "102", "103", "104", "105"];

/** Payments of a sale: by one or two means, or by none that the POS reports. */
const means = [["cash"], ["debit"], ["cash", "check"], []] as const;

/** The same sale or return with amounts, weights, payments and a type of customer that follow from the id and the version. */
function withAmounts(sale: PosSale, id: number, version: number): PosSale {
  const sign = id % 4 === 3 ? -1 : 1;
  const subtotal = sign * (1_000 + version);
  const tax = version % 3 === 0 ? 0 : sign * 80;
  const total = subtotal + tax;
  const payments = (means[version % means.length] ?? []).map((type, i) => ({
    type,
    amount_paid: i === 0 ? total : sign * 250,
  }));
  const customer = sale.customer && {
    ...sale.customer,
    type: (["rec", "medical", null] as const)[version % 3] ?? null,
  };
  return {
    ...sale,
    transaction_type: sign < 0 ? "return" : "sale",
    subtotal: version % 7 === 0 ? null : subtotal,
    tax_paid: tax,
    total_paid: total,
    // Their weights exceed the limits of some states, so that the findings depend on the state.
    line_items: sale.line_items.map((line) => ({
      ...line,
      num_units: sign,
      product_type: "flower",
      grams: id % 2 ? 50 : 100,
    })),
    fees: id % 5 === 0 ? [{ fee_name: null, percent_amount: null, flat_amount: 25, included_in_subtotal: true }] : [],
    payments,
    customer,
  } as PosSale;
}

/** Kinds whose records are added and changed one by one; locations are opened and closed as a whole. */
type Changing = Exclude<SimulatedKind, "location">;

/**
 * A POS whose customers, sales and stock are added and changed at random; a change may revert the previous one.
 * Locations are opened, and closed again after their stock has moved.
 */
export class Shop implements Connector {
  /**
   * Can fail, wait, or change the world.
   *
   * @returns whether this response may be false, and then its maximum number of packages; null if it must be true
   */
  beforePage: (request: PullRequest<RecordKind>) => Promise<number | null> = async () => null;
  /** Can let time pass, and change the world, before a page is returned. */
  afterPage: (kind: RecordKind) => Promise<void> = async () => undefined;
  /** number of empty or shortened responses without any other error */
  falseAnswers = 0;
  readonly #chance: Dice;
  readonly #clock: Clock;
  /** By kind and id: the time of the last change or removal, epoch milliseconds. */
  readonly #changedAt = new Map<string, number>();
  /** The time of the last removal from the stock, epoch milliseconds. */
  #shiftedAt = 0;
  readonly #pos: ScriptedPos;
  readonly #stock: ScriptedStock;
  readonly #sales = new Map<number, { day: number; isVoid: boolean }>();
  readonly #versions = new Map<string, { now: number; before: number | undefined }>();
  readonly #known = { customer: 0, inventory: 0, sale: 0 };
  readonly #open = new Set<string>();
  #changed: Record<Changing, number[]> = { customer: [], inventory: [], sale: [] };
  #takesBack = false;
  #version = 0;

  constructor(chance: Dice, clock: Clock) {
    this.#chance = chance;
    this.#clock = clock;
    this.#pos = new ScriptedPos(chance.between(4, 15));
    this.#stock = new ScriptedStock(chance.between(3, 8));
    for (const place of places.slice(0, chance.between(1, 3))) this.#openLocation(place);
  }

  /** Adds some records of each kind, changes some and removes some stock; or reverts the last change. */
  change(takesBack = this.#chance.percent(30)): void {
    this.#takesBack = takesBack;
    if (!takesBack) {
      this.#changeLocations();
      this.#changed = {
        customer: this.#some("customer"),
        inventory: this.#some("inventory"),
        sale: this.#some("sale"),
      };
    }
    const { customer, inventory, sale } = this.#changed;
    this.#pos.put("customer", ...customer.map((id) => this.#customer(id)));
    this.#pos.put("sale", ...sale.map((id) => this.#sale(id)));
    for (const kind of ["customer", "inventory", "sale"] as const) this.#note(kind, ...this.#changed[kind]);
    for (const id of inventory) {
      if (!this.#chance.percent(20)) this.#stock.put(this.#package(id));
      else if (this.#stock.stock.delete(String(id))) this.#shiftedAt = this.#clock.now().getTime();
    }
  }

  /** The number of a customer, who may not exist yet; half of the time of one whom sales may name. */
  anyCustomer(): number {
    return this.#chance.between(0, this.#chance.percent(50) ? families : this.#known.customer);
  }

  /** The final records of a kind. */
  held(kind: RecordKind): unknown[] {
    return [...(kind === "inventory" ? this.#stock.stock : this.#pos.held(kind)).values()];
  }

  /** All versions of the customers or sales. */
  everHeld(kind: "customer" | "sale"): readonly unknown[] {
    return this.#pos.everHeld(kind);
  }

  /** The ids of records that changed since an instant. */
  changedSince(kind: RecordKind, instant: string): string[] {
    const [since, prefix] = [Date.parse(instant), `${kind} `];
    const changed = [...this.#changedAt].filter(([name, at]) => name.startsWith(prefix) && at > since);
    return changed.map(([name]) => name.slice(prefix.length));
  }

  async verify() {
    return [];
  }

  async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>> {
    const page = await this.#page(connection, request);
    await this.afterPage(request.kind);
    return page;
  }

  async #page<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>> {
    const maxFalselyNamed = await this.beforePage(request);
    if (maxFalselyNamed !== null) return this.#falseAnswer(request, maxFalselyNamed);
    if (request.kind !== "inventory") return this.#pos.pull(connection, request);
    const page = await this.#stock.pull(connection, request);
    // Removed records shift others to pages that were already read, so the pull may have missed some.
    if ("position" in page.next || this.#shiftedAt < request.now.getTime() - maxClockOffsetMs) return page;
    return { ...page, next: { ...page.next, asOf: null }, complete: false };
  }

  /** The first page of a pull, as if it were the only one. The watermark skips records that it leaves out. */
  #falseAnswer<Kind extends RecordKind>({ kind, now }: PullRequest<Kind>, maxNamed: number): PullPage<Kind> {
    this.falseAnswers++;
    const records = this.held(kind);
    const isStock = kind === "inventory";
    const watermark = isStock ? now.toISOString() : this.#pos.watermark(kind);
    return {
      records: records.slice(0, isStock ? this.#chance.between(0, maxNamed) : 0) as PosRecords[Kind][],
      rejected: [],
      total: null,
      next: { watermark },
      complete: true,
    };
  }

  #changeLocations(): void {
    const [chance, open] = [this.#chance, this.#open];
    if (chance.percent(25)) this.#openLocation(chance.pick(places as [string, ...string[]]));
    const closed = chance.pick(places as [string, ...string[]]);
    if (open.size === 1 || !chance.percent(15) || !open.delete(closed)) return;
    for (const [id, { name }] of this.#stock.stock) {
      const { location_data } = this.#stock.stock.get(id) ?? {};
      const left = (location_data ?? []).filter(({ pos_location_id }) => pos_location_id !== closed);
      const quantities = left.map(({ pos_location_id, quantity }) => [pos_location_id, quantity]);
      this.#note("inventory", id);
      this.#stock.put({ ...stockOf(id, Object.fromEntries(quantities)), name });
    }
  }

  #openLocation(pos_location_id: string): void {
    this.#open.add(pos_location_id);
    this.#note("location", pos_location_id);
    const [name, pos_location_type, pos_updated_date] = [`Room ${this.#version}`, null, "2026-03-01T00:00:00.000Z"];
    this.#pos.put("location", { pos_location_id, name, pos_location_type, pos_updated_date });
  }

  #note(kind: RecordKind, ...ids: (string | number)[]): void {
    const now = this.#clock.now().getTime();
    for (const id of ids) this.#changedAt.set(`${kind} ${id}`, now);
  }

  /** Some known records, and new ones. */
  #some(kind: Changing): number[] {
    const chance = this.#chance;
    const known = this.#known[kind];
    const fresh = known === 0 ? chance.between(8, 20) : chance.between(0, 2);
    const changes = known === 0 ? 0 : chance.between(0, 8);
    this.#known[kind] += fresh;
    const changed = Array.from({ length: changes }, () => chance.between(0, known - 1));
    return [...changed, ...Array.from({ length: fresh }, (_, i) => known + i)];
  }

  #customer(id: number): PosCustomer {
    const version = this.#nextVersion(`customer ${id}`);
    return { ...plainCustomer(String(id), version), last_name: familyName(id) };
  }

  #sale(id: number) {
    const chance = this.#chance;
    const latest = saleDays.length - 1;
    const sale = this.#sales.get(id) ?? { day: chance.between(0, latest), isVoid: false };
    // Only to a later day: a sale that moves to an earlier day makes a walk by sale day miss others, as the
    // specification says.
    if (!this.#takesBack && chance.percent(40)) sale.day = Math.min(sale.day + 1, latest);
    sale.isVoid ||= chance.percent(10) && this.#sales.has(id);
    this.#sales.set(id, sale);
    const version = this.#nextVersion(`sale ${id}`);
    const customer = id % 3 > 0 ? walkIn : (id + (version % 2)) % (families + 1);
    const plain = plainSale(String(id), version, instantOf(sale.day), customer ? String(customer) : null);
    return sale.isVoid ? voidSale(plain, instantOf(latest)) : withAmounts(plain, id, version);
  }

  /** A package; each open location has up to three. Its long name makes a few fill a chunk of a daily snapshot. */
  #package(id: number): PosInventory {
    const version = this.#nextVersion(`package ${id}`);
    const quantities = [...this.#open].map((place, i) => [place, (version * (i + 1) + id) % 4] as const);
    const stock = stockOf(String(id), Object.fromEntries(quantities.filter(([, quantity]) => quantity > 0)));
    return { ...stock, name: `Package ${id} `.padEnd(1_500, "of a long name ") };
  }

  #nextVersion(name: string): number {
    const { now, before } = this.#versions.get(name) ?? {};
    const next = this.#takesBack && before !== undefined ? before : this.#version++;
    this.#versions.set(name, { now: next, before: now });
    return next;
  }
}
