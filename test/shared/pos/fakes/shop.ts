import { type Dice, dice } from "../../../../shared/pos/sandbox/dice.ts";
import { Views } from "./views.ts";

// The shop behind a fake POS, independent of its format: it buys, sells and changes records. Everything follows from a
// seed and from calls. Each change has a date of the POS's clock.

/** Epoch milliseconds. */
type Instant = number;

export interface ShopCustomer {
  number: number;
  uuid: string;
  /** all invented, with a recognizable beginning, so that tests can search for them where they must not be */
  firstName: string;
  middleName: string;
  lastName: string;
  phone: string;
  email: string;
  medicalId: string | null;
  license: string;
  dob: string;
  street: string;
  points: number;
  /** the customer into whom this one was merged; never changes, because sales name that one */
  mergedInto: ShopCustomer | null;
  createdAt: Instant;
  changedAt: Instant;
}

export interface ShopProduct {
  number: number;
  uuid: string;
  name: string;
  kind: "flower" | "edible" | "vape" | "accessory";
  /** cents */
  price: number;
  cost: number;
  createdAt: Instant;
  changedAt: Instant;
}

export interface ShopPackage {
  number: number;
  uuid: string;
  tag: string;
  product: ShopProduct;
  /** by room number */
  quantities: Map<number, number>;
  changedAt: Instant;
}

export interface ShopLine {
  product: ShopProduct;
  quantity: number;
  /** cents per unit */
  price: number;
  /** cents, for the line */
  discount: number;
  tax: number;
}

export interface ShopSale {
  number: number;
  uuid: string;
  customer: ShopCustomer | null;
  lines: ShopLine[];
  status: "sold" | "voided" | "pending" | "canceled";
  kind: "retail" | "wholesale" | "transfer";
  /** the sale that this one returns */
  original: ShopSale | null;
  payment: "cash" | "debit";
  /** cents, in addition to all other amounts */
  fee: number;
  at: Instant;
  changedAt: Instant;
}

export interface ShopSize {
  customers: number;
  products: number;
  packages: number;
  sales: number;
}

export const demoSize: ShopSize = { customers: 2000, products: 400, packages: 600, sales: 5000 };
export const smallSize: ShopSize = { customers: 30, products: 12, packages: 20, sales: 60 };

export const rooms = [
  { number: 11, uuid: "0b5e6f00-0000-4000-8000-000000000011", name: "Sales Floor" },
  { number: 12, uuid: "0b5e6f00-0000-4000-8000-000000000012", name: "Vault" },
] as const;

const day = 24 * 60 * 60_000;
/** The past sales are spread over this number of days. */
const historyDays = 60;

export class Shop {
  /** views of the lists below and their rows' own fields, but not of a package's quantities or a sale's lines */
  readonly views: Views;
  readonly customers: ShopCustomer[];
  readonly products: ShopProduct[];
  readonly packages: ShopPackage[];
  /** packages that do not exist any more */
  readonly removed: ShopPackage[];
  readonly sales: ShopSale[];
  readonly #clock: () => Date;
  readonly #chance: Dice;
  #numbers = 1000;

  /** @param clock the POS's clock ¶ @param views views that several shops share */
  constructor(seed: number | string, size: ShopSize, clock: () => Date, views = new Views()) {
    this.views = views;
    this.customers = views.watch([]);
    this.products = views.watch([]);
    this.packages = views.watch([]);
    this.removed = views.watch([]);
    this.sales = views.watch([]);
    this.#clock = clock;
    this.#chance = dice("shop", seed);
    const now = this.#now();
    // The last hour stays empty, so that later changes differ from the initial records.
    const past = (days: number) => now - this.#chance.between(60 * 60_000, days * day);
    for (let i = 0; i < size.products; i++) this.addProduct(past(historyDays));
    for (let i = 0; i < size.customers; i++) this.addCustomer(past(historyDays));
    for (let i = 0; i < size.packages; i++) this.addPackage(past(historyDays));
    for (let i = 0; i < size.sales; i++) {
      const sale = this.sell(past(historyDays));
      const place = i % 20;
      if (place === 3) sale.status = "voided";
      if (place === 7) sale.status = "pending";
      if (place === 11) sale.status = "canceled";
      if (place === 13) this.refund(sale, sale.at + 60_000);
      if (place === 17) sale.kind = i % 40 === 17 ? "wholesale" : "transfer";
    }
  }

  /** Makes one random change, dated now: the same for the same seed and earlier changes. */
  change(): void {
    const chance = this.#chance;
    const changes = [
      () => this.addCustomer(),
      () => this.changeCustomer(chance.pick(this.customers as [ShopCustomer])),
      () => this.changeCustomer(chance.pick(this.customers as [ShopCustomer])),
      () => this.addPackage(this.#now(), this.addProduct()),
      () => this.changeProduct(chance.pick(this.products as [ShopProduct])),
      () => this.addPackage(),
      () => this.countPackage(chance.pick(this.packages as [ShopPackage])),
      () => this.removePackage(chance.pick(this.packages as [ShopPackage])),
      () => this.sell(),
      () => this.sell(),
      () => this.sell(),
      () => this.#recent((sale) => this.voidSale(sale)),
      () => this.#recent((sale) => this.refund(sale)),
    ] as const;
    chance.pick(changes)();
  }

  addCustomer(at = this.#now()): ShopCustomer {
    const number = this.#number();
    const customer = this.views.watch<ShopCustomer>({
      number,
      uuid: this.#uuid(number),
      firstName: `Plantedfirst${number}`,
      middleName: `Plantedmiddle${number}`,
      lastName: `Plantedlast${number}`,
      phone: `(303) 555-01${this.#chance.digits(2)}`,
      email: `plantedmail${number}@example.com`,
      medicalId: this.#chance.percent(30) ? `PlantedMed${number}` : null,
      license: `PlantedDrive${number}`,
      dob: `19${this.#chance.between(50, 99)}-0${this.#chance.between(1, 9)}-1${this.#chance.between(0, 9)}`,
      street: `${this.#chance.between(1, 999)} Pearl Street`,
      points: this.#chance.between(0, 999),
      mergedInto: this.customers.length % 6 === 5 ? (this.customers.at(-1) ?? null) : null,
      createdAt: at,
      changedAt: at,
    });
    this.customers.push(customer);
    return customer;
  }

  /** The fields of a customer that sales contain (birth, ids) never change. */
  changeCustomer(customer: ShopCustomer): void {
    customer.street = `${this.#chance.between(1000, 9999)} Walnut Street`;
    customer.phone = `(720) 555-01${this.#chance.digits(2)}`;
    customer.changedAt = this.#now();
  }

  addProduct(at = this.#now()): ShopProduct {
    const number = this.#number();
    const product = this.views.watch<ShopProduct>({
      number,
      uuid: this.#uuid(number),
      name: `${this.#chance.pick(["Blue Dream", "Sour Diesel", "Wedding Cake", "Gelato"])} ${number}`,
      kind: this.#chance.pick(["flower", "flower", "edible", "vape", "accessory"]),
      price: this.#chance.between(500, 6000),
      cost: this.#chance.between(200, 3000),
      createdAt: at,
      changedAt: at,
    });
    this.products.push(product);
    return product;
  }

  /** The fields of a product that sales contain (name, kind and weight) never change. */
  changeProduct(product: ShopProduct): void {
    product.price = this.#chance.between(500, 6000);
    product.changedAt = this.#now();
  }

  addPackage(at = this.#now(), product = this.#chance.pick(this.products as [ShopProduct])): ShopPackage {
    const number = this.#number();
    const added = this.views.watch<ShopPackage>({
      number,
      uuid: this.#uuid(number),
      tag: `1A4060300${String(number).padStart(15, "0")}`,
      product,
      quantities: new Map(rooms.map(({ number }) => [number, this.#chance.between(0, 40)])),
      changedAt: at,
    });
    this.packages.push(added);
    return added;
  }

  /** Changes the quantities, as a sale, a move or a count would. A room may become empty. */
  countPackage(counted: ShopPackage): void {
    for (const { number } of rooms) {
      counted.quantities.set(number, this.#chance.percent(25) ? 0 : this.#chance.between(1, 40));
    }
    counted.changedAt = this.#now();
  }

  /** Removes a package. The last three stay, so that there is always one to change. */
  removePackage(removed: ShopPackage): void {
    if (this.packages.length <= 3) return;
    this.packages.splice(this.packages.indexOf(removed), 1);
    removed.changedAt = this.#now();
    this.removed.push(removed);
  }

  packagesOf(product: ShopProduct): readonly ShopPackage[] {
    const byProduct = this.views.of(this.packages, "", () => Map.groupBy(this.packages, (one) => one.product));
    return byProduct.get(product) ?? [];
  }

  sell(at = this.#now()): ShopSale {
    const number = this.#number();
    const lines = Array.from({ length: this.#chance.between(1, 3) }, () => this.#line());
    const sale = this.views.watch<ShopSale>({
      number,
      uuid: this.#uuid(number),
      customer: this.#chance.percent(90) ? this.#chance.pick(this.customers as [ShopCustomer]) : null,
      lines,
      status: "sold",
      kind: "retail",
      original: null,
      payment: this.#chance.pick(["cash", "debit"]),
      fee: this.#chance.percent(10) ? 550 : 0,
      at,
      changedAt: at,
    });
    this.sales.push(sale);
    return sale;
  }

  /** Returns the first line of a sale. */
  refund(original: ShopSale, at = this.#now()): ShopSale {
    const sale = this.sell(at);
    Object.assign(sale, { original, customer: original.customer, lines: original.lines.slice(0, 1), fee: 0 });
    return sale;
  }

  voidSale(sale: ShopSale): void {
    sale.status = "voided";
    sale.changedAt = this.#now();
  }

  /** Not part of `change`: the storage of a canceled sale depends on an earlier pull. */
  cancelSale(sale: ShopSale): void {
    sale.status = "canceled";
    sale.changedAt = this.#now();
  }

  /** Changes a recent sale. No POS reports a much later change. */
  #recent(change: (sale: ShopSale) => unknown): void {
    const since = this.#now() - 2 * day;
    const sale = this.sales.findLast(
      ({ status, original, kind, at }) => status === "sold" && original === null && kind === "retail" && at > since,
    );
    if (sale) change(sale);
  }

  #line(): ShopLine {
    const product = this.#chance.pick(this.products as [ShopProduct]);
    const quantity = this.#chance.between(1, 4);
    const gross = product.price * quantity;
    const discount = this.#chance.percent(20) ? Math.round(gross / 10) : 0;
    return { product, quantity, price: product.price, discount, tax: Math.round((gross - discount) * 0.15) };
  }

  #number(): number {
    this.#numbers++;
    return this.#numbers;
  }

  #uuid(number: number): string {
    return `5ab0${this.#chance.digits(4)}-0000-4000-8000-${String(number).padStart(12, "0")}`;
  }

  #now(): Instant {
    return this.#clock().getTime();
  }
}

/** The amounts of a sale in cents, as on its receipt. */
export function amountsOf({ lines, fee }: ShopSale) {
  const sum = (part: (line: ShopLine) => number) => lines.reduce((total, line) => total + part(line), 0);
  const gross = sum(({ price, quantity }) => price * quantity);
  const discount = sum((line) => line.discount);
  const tax = sum((line) => line.tax);
  return { gross, discount, tax, fee, net: gross - discount, total: gross - discount + tax + fee };
}

/** The number of units in a package. */
export function unitsIn({ quantities }: ShopPackage): number {
  return quantities.values().reduce((sum, quantity) => sum + quantity, 0);
}

/** The number of units of several packages in a room. */
export function unitsAt(room: { number: number }, packages: readonly ShopPackage[]): number {
  return packages.reduce((sum, { quantities }) => sum + (quantities.get(room.number) ?? 0), 0);
}

interface Dated {
  number: number;
  changedAt: Instant;
}

/** Orders rows by their change. */
export const oldestFirst = (a: Dated, b: Dated) => a.changedAt - b.changedAt || a.number - b.number;
export const newestFirst = (a: Dated, b: Dated) => oldestFirst(b, a);
/** Orders sales by their date. */
export const latestFirst = (a: ShopSale, b: ShopSale) => b.at - a.at || b.number - a.number;

/** A day, `2026-03-10`, by a clock seven hours behind UTC. */
export const localDay = (instant: Instant) => iso(instant - 7 * 60 * 60_000).slice(0, 10);

/** Cents as dollars, as POS systems send them: a number with as many decimals as necessary. */
export function dollars(cents: number): number {
  return Number((cents / 100).toFixed(2));
}

export function iso(instant: Instant): string {
  return new Date(instant).toISOString();
}
