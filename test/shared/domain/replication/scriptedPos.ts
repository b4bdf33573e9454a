import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, Connector, PullPage, PullRequest } from "../../../../shared/pos/connector.ts";
import { type PosCustomer, type PosRecords, type PosSale, posIdOf } from "../../../../shared/pos/posRecords.ts";

/** A customer with every sensitive field set. The values follow from the id and the version. */
export function plainCustomer(id: string, version = 0): PosCustomer {
  return {
    pos_customer_id: id,
    first_name: `Plainfirst${id}`,
    last_name: `Plainlast${id}`,
    middle_name: `Plainmiddle${id}`,
    dob: "1980-02-29",
    address_1: `${version} Pearl St`,
    address_2: null,
    city: "Boulder",
    state: "CO",
    zip_code: "80302",
    phone: `(303) 555-01${id.padStart(2, "0")}`,
    cell_phone: `(720) 555-01${String(version).padStart(2, "0")}`,
    email_address: `plain.mail${id}@example.com`,
    gender: null,
    pos_identification_type: "medical",
    pos_customer_type: "Medical Patient",
    svc_customer_type: "medical",
    medical_id: `PlainMed${id}`,
    medical_id_expiration_date: "2027-01-31",
    drivers_license_id: `PlainDrive${id}`,
    drivers_license_expiration_date: "2027-01-31",
    other_id: `PlainOther${id}`,
    other_id_expiration_date: "2027-01-31",
    caregiver: false,
    loyalty_member: true,
    loyalty_points: String(version),
    anonymous: false,
    pos_updated_date: new Date(Date.UTC(2026, 2, 1) + version * 1000).toISOString(),
  };
}

/**
 * A retail sale of one line. The values follow from the id and the version.
 * @param date instant, ISO 8601 UTC
 * @param customer POS id of the buyer
 */
export function plainSale(id: string, version: number, date: string, customer: string | null): PosSale {
  const total = 1_000 + version;
  return {
    pos_sale_id: id,
    type: "retail",
    subtotal: total,
    total_discounts: 0,
    tax_paid: 0,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: null,
    line_items: [
      {
        pos_product_id: "1",
        product_name: "Preroll",
        num_units: 1,
        price_per_unit: total,
        grams: 1,
        thc_mg_per_unit: null,
        product_type: null,
        cannabis_product: true,
        line_item_discounts: [],
        line_item_taxes: [],
        line_item_fees: [],
      },
    ],
    discounts: [],
    taxes: [],
    payments: [{ type: "cash", amount_paid: total }],
    customer: { pos_customer_id: customer, type: "rec", dob: null, id_type: null, id_expiration_date: null },
    fees: [],
  };
}

/** The same sale after it was voided. Its date becomes that of the voiding. */
export function voidSale(sale: PosSale, date: string): PosSale {
  const nothing = { subtotal: 0, tax_paid: 0, total_paid: 0, line_items: [], payments: [] };
  return { ...sale, ...nothing, date, transaction_type: "adjustment" };
}

/**
 * A POS under a test's control. It returns pages of changes, each record in its latest state. A watermark is the number
 * of changes so far. `beforePage` can fail, wait or change the POS, `afterPage` can change the page. All requests are recorded.
 */
export class ScriptedPos implements Connector {
  readonly requests: Omit<PullRequest<RecordKind>, "known" | "isRejected">[] = [];
  beforePage: (request: PullRequest<RecordKind>) => Promise<void> | void = () => undefined;
  afterPage: (page: PullPage<RecordKind>, request: PullRequest<RecordKind>) => PullPage<RecordKind> = (page) => page;
  pageSize: number;
  readonly #firstPageSize: number;
  #changes: { [Kind in RecordKind]?: PosRecords[Kind][] } = {};

  constructor(pageSize: number) {
    this.pageSize = pageSize;
    this.#firstPageSize = pageSize;
  }

  /** Makes this a new POS without records. */
  reset(): void {
    this.#changes = {};
    this.requests.length = 0;
    this.beforePage = () => undefined;
    this.afterPage = (page) => page;
    this.pageSize = this.#firstPageSize;
  }

  /** Adds or changes records of a kind. */
  put<Kind extends RecordKind>(kind: Kind, ...records: PosRecords[Kind][]): void {
    this.#changesOf(kind).push(...records);
  }

  /** The latest records of a kind, by id. */
  held<Kind extends RecordKind>(kind: Kind): Map<string, PosRecords[Kind]> {
    return new Map(this.#changesOf(kind).map((record) => [posIdOf(kind, record), record]));
  }

  /** All versions of the records of a kind, oldest first. */
  everHeld<Kind extends RecordKind>(kind: Kind): readonly PosRecords[Kind][] {
    return this.#changesOf(kind);
  }

  /** The watermark from which a pull returns only later changes. */
  watermark(kind: RecordKind): string {
    return String(this.#changesOf(kind).length);
  }

  async verify() {
    return [];
  }

  async pull<Kind extends RecordKind>(_: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>> {
    const { known: _known, isRejected: _isRejected, ...recorded } = request;
    this.requests.push(recorded);
    await this.beforePage(request);
    const { kind } = request;
    const changes = this.#changesOf(kind);
    const held = this.held(kind);
    const since = Number(request.since ?? 0);
    const [start = since, until = changes.length] = request.position?.split("-").map(Number) ?? [];
    const end = Math.min(start + this.pageSize, until);
    const ids = changes.slice(start, end).map((record) => posIdOf(kind, record));
    const page: PullPage<RecordKind> = {
      records: ids.map((id) => held.get(id) as PosRecords[Kind]),
      rejected: [],
      total: until - since,
      next: end < until ? { position: `${end}-${until}` } : { watermark: String(until) },
      complete: request.since === null,
    };
    return this.afterPage(page, request) as PullPage<Kind>;
  }

  #changesOf<Kind extends RecordKind>(kind: Kind): PosRecords[Kind][] {
    this.#changes[kind] ??= [];
    return this.#changes[kind];
  }
}
