import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection, Connector, PullPage, PullRequest } from "../../../shared/pos/connector.ts";
import type { PosCustomer, PosInventory, PosRecords } from "../../../shared/pos/posRecords.ts";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";
import { maxClockOffsetMs } from "../../../shared/store/client.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { plainCustomer, plainSale, ScriptedPos, voidSale } from "../../shared/domain/replication/scriptedPos.ts";
import { ScriptedStock, stockOf } from "../../shared/domain/replication/scriptedStock.ts";
import type { SimulatedKind } from "./readings.ts";

/** The days of sales, all at noon or so: two old New Years, so that a change can touch two years that are over. */
const saleDays = ["2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01", "2026-12-31"] as const;
const instantOf = (day: number) => `${saleDays[day]}T20:00:00.000Z`;
/** So many customers bear one name, and so many buy. */
const families = 4;

/** The customer on whom most sales are booked: enough for a list of their own. */
const walkIn = 1;

/** What customers of a number share with others. */
export function familyName(number: number): string {
  return `Plainlast of ${number % families}`;
}

/** Where stock may lie, by the POS's ids: at first at some of them. */
export const places: readonly string[] = ["101", "102", "103", "104", "105"];

/** What comes and changes by the record; locations come and go as a whole. */
type Changing = Exclude<SimulatedKind, "location">;

/**
 * A POS whose customers, sales and stock come and change by chance; a change may take back the one before. Locations are
 * opened, and closed again, whose stock is elsewhere then.
 */
export class Shop implements Connector {
  /**
   * Can fail, wait, or change the world.
   *
   * @returns whether this answer may be false, and how many packages it names at most then; null if it must be true
   */
  beforePage: (request: PullRequest<RecordKind>) => Promise<number | null> = async () => null;
  /** Can let time pass, and change the world, before a page that was read is there. */
  afterPage: (kind: RecordKind) => Promise<void> = async () => undefined;
  /** number of answers that were empty or too short, with nothing else wrong */
  falseAnswers = 0;
  readonly #chance: Dice;
  readonly #clock: Clock;
  /** By kind and id, when it came to be as it is, epoch milliseconds, also when that is not there. */
  readonly #changedAt = new Map<string, number>();
  /** When something was taken out of the stock last, epoch milliseconds. */
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

  /** Some records of each kind come, some change, some stock vanishes; or what the last change did is taken back. */
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

  /** The number of a customer, who may not have come yet. */
  anyCustomer(): number {
    return this.#chance.between(0, this.#known.customer);
  }

  /** What it holds of a kind at last. */
  held(kind: RecordKind): unknown[] {
    return [...(kind === "inventory" ? this.#stock.stock : this.#pos.held(kind)).values()];
  }

  /** The ids of what is not as it was at an instant. */
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
    // What is gone moves the others to pages that were read already, so that some may have been missed.
    if ("position" in page.next || this.#shiftedAt < request.now.getTime() - maxClockOffsetMs) return page;
    return { ...page, next: { ...page.next, asOf: null }, complete: false };
  }

  /** The first page of a pull, as if nothing else came: the watermark skips what it does not name. */
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
    const [name, pos_location_type, pos_updated_date] = ["Room", null, "2026-03-01T00:00:00.000Z"];
    this.#pos.put("location", { pos_location_id, name, pos_location_type, pos_updated_date });
  }

  #note(kind: RecordKind, ...ids: (string | number)[]): void {
    const now = this.#clock.now().getTime();
    for (const id of ids) this.#changedAt.set(`${kind} ${id}`, now);
  }

  /** Some of those that are known, and new ones. */
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
    // To a later day only: one that moves to an earlier day lets a walk by sale day miss others, as the specification says.
    if (!this.#takesBack && chance.percent(40)) sale.day = Math.min(sale.day + 1, latest);
    sale.isVoid ||= chance.percent(10) && this.#sales.has(id);
    this.#sales.set(id, sale);
    const customer = id % 3 > 0 ? walkIn : id % (families + 1);
    const version = this.#nextVersion(`sale ${id}`);
    const plain = plainSale(String(id), version, instantOf(sale.day), customer ? String(customer) : null);
    return sale.isVoid ? voidSale(plain, instantOf(latest)) : plain;
  }

  /** A package, of which up to three lie at each open location. Its name is long, so that a few fill a chunk of a daily snapshot. */
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
