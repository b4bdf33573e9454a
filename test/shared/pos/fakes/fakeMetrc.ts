import type { FacilityReceipt } from "../../../../infra/local/metrc/metrcFacility.ts";
import { type MetrcCustomerType, metrcCustomerTypes } from "../../../../shared/api/enumerations.ts";
import type { DayFigures } from "../../../../shared/pos/metrc/receiptBook.ts";
import { type Dice, dice } from "../../../../shared/pos/sandbox/dice.ts";
import { toLocalTime } from "../../../../shared/time/localTime.ts";
import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { HabitualFacility } from "./habitualFacility.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const timeZone = "America/Denver";

/**
 * A fake of the part of Metrc that the reader reads (docs/pos/metrc.md): one facility, whose receipts are sold, finalized,
 * voided and recorded late at random. The same seed leads to the same receipts. The form of lists and receipts is documented
 * (D). HTML as the body of a 401, lists without totals and small letters of keys are known from clients (C). Assumptions (A): the
 * order of lists, and that every change of a receipt moves its date of change.
 */
export class FakeMetrc extends FakeServer {
  readonly facility = new HabitualFacility({
    licenseNumber: "402R-00001",
    vendorKey: "vendor+key",
    userKey: "user/key",
    timeZone,
  });
  /** the percentage of list responses that lack some of their receipts, with a smaller total */
  cutShare = 0;
  readonly #chance: Dice;
  readonly #localDays = new Map<number, string | undefined>();
  #nextId = 700_001;

  constructor(seed: number | string, now: () => Date) {
    super((request) => this.#answer(request));
    this.now = now;
    this.#chance = dice("metrc", seed);
  }

  /** The access of a request that reads the facility. */
  get access() {
    const { licenseNumber, vendorKey, userKey } = this.facility;
    return { state: "CO" as const, licenseNumber, vendorKey, userKey, timeZone };
  }

  /** Records sales of past days. Most of the receipts are finalized in the next days. */
  fill(days: number, perDay: number): void {
    const now = this.now().getTime();
    for (let sale = 0; sale < days * perDay; sale++) {
      const soldAt = now - Math.floor((dayMs * (days * perDay - sale)) / perDay);
      const { id, ...receipt } = this.#sell(soldAt, soldAt + this.#chance.between(0, hourMs));
      if (!this.#chance.percent(80)) continue;
      const modifiedAt = Math.min(now, receipt.modifiedAt + this.#chance.between(0, 3 * dayMs));
      const archivedAt = this.#chance.percent(5) ? modifiedAt : null;
      this.facility.put({ ...receipt, id, modifiedAt, isFinal: archivedAt === null, archivedAt });
    }
  }

  /**
   * One change that happens in shops: a sale, a late receipt, a void, a corrected price, or a receipt is finalized or opened
   * again.
   */
  change(): void {
    const now = this.now().getTime();
    const roll = this.#chance.between(1, 100);
    if (roll <= 30) this.#sell(now - this.#chance.between(0, hourMs), now);
    else if (roll <= 36) this.#sell(now - this.#chance.between(0, 20 * dayMs), now);
    else this.#changeReceipt(roll, now);
  }

  /** Corrects the day of a sale, so that an earlier day has a receipt less. */
  moveSale(): void {
    const receipt = this.#pick();
    const modifiedAt = this.now().getTime();
    if (receipt) this.facility.put({ ...receipt, modifiedAt, soldAt: Math.min(modifiedAt, receipt.soldAt + dayMs) });
  }

  #pick(): FacilityReceipt | undefined {
    const ids = [...this.facility.receipts.keys()];
    return this.facility.receipts.get(ids[this.#chance.between(0, ids.length - 1)] ?? 0);
  }

  #changeReceipt(roll: number, now: number): void {
    const receipt = this.#pick();
    if (!receipt) return;
    const changed = { ...receipt, modifiedAt: now };
    if (roll <= 70) {
      const { keepsDateWhenFinal } = this.facility.habits;
      this.facility.put({ ...(keepsDateWhenFinal ? receipt : changed), isFinal: true });
    } else if (roll <= 80) this.facility.put({ ...changed, archivedAt: now });
    else if (roll <= 90) this.facility.put({ ...changed, cents: receipt.cents + this.#chance.between(-500, 500) });
    else this.facility.put({ ...changed, isFinal: false, archivedAt: null });
  }

  #sell(soldAt: number, modifiedAt: number): FacilityReceipt {
    const type = metrcCustomerTypes[this.#chance.between(0, 4)] as MetrcCustomerType;
    const receipt = { id: this.#nextId++, soldAt, modifiedAt: Math.min(modifiedAt, this.now().getTime()), type };
    const sold = { ...receipt, cents: this.#chance.between(0, 40_000), isFinal: false, archivedAt: null };
    this.facility.put(sold);
    return sold;
  }

  /** The figures of a day without their digest, counted receipt by receipt. */
  figuresOf(date: string): Omit<DayFigures, "digest"> {
    const figures: Omit<DayFigures, "digest"> = { date, receipts: 0, voided: 0, total: 0, by_customer_type: {} };
    for (const { soldAt, cents, type, archivedAt } of this.facility.receipts.values()) {
      if (this.#localDayOf(soldAt) !== date) continue;
      if (archivedAt !== null) {
        figures.voided++;
        continue;
      }
      figures.receipts++;
      figures.total += cents;
      const { receipts, total } = figures.by_customer_type[type] ?? { receipts: 0, total: 0 };
      figures.by_customer_type[type] = { receipts: receipts + 1, total: total + cents };
    }
    return figures;
  }

  #localDayOf(instant: number): string | undefined {
    if (!this.#localDays.has(instant)) {
      this.#localDays.set(instant, toLocalTime(new Date(instant).toISOString(), timeZone)?.slice(0, 10));
    }
    return this.#localDays.get(instant);
  }

  #answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const answer = this.facility.answer(path, query, headers.authorization);
    const isCut = path.startsWith("/sales") && answer.status === 200 && this.#chance.percent(this.cutShare);
    return isCut ? { ...answer, body: cut(answer.body) } : answer;
  }
}

/** A response that lacks half of its receipts, as from a system in trouble. */
function cut(body: unknown): unknown {
  if (Array.isArray(body)) return body.slice(0, body.length / 2);
  const list = body as Record<string, unknown>;
  const half = (value: unknown) =>
    Array.isArray(value) ? value.slice(0, value.length / 2) : Math.floor(Number(value) / 2);
  return Object.fromEntries(
    Object.entries(list).map(([name, value]) => [name, /^(data|total(records)?)$/i.test(name) ? half(value) : value]),
  );
}
