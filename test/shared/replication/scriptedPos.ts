import type { RecordKind } from "../../../shared/kinds.ts";
import type { Connection, Connector, PullPage, PullRequest } from "../../../shared/pos/connector.ts";
import type { PosCustomer, PosRecords } from "../../../shared/pos/posRecords.ts";

/** A customer with every sensitive field set, made up from its id and the version of what the POS has of it. */
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
 * A POS under a test's control: what it holds, in pages of so many, to be read from a watermark (the number of changes
 * so far). `beforePage` can fail, wait, or change the world. It notes every request.
 */
export class ScriptedPos implements Connector {
  readonly requests: Omit<PullRequest<RecordKind>, "known" | "isSetAside">[] = [];
  beforePage: (request: PullRequest<RecordKind>) => Promise<void> | void = () => undefined;
  readonly #pageSize: number;
  readonly #changes: PosCustomer[] = [];

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  /** Puts customers in, or changes them. */
  put(...customers: PosCustomer[]): void {
    this.#changes.push(...customers);
  }

  /** What it holds at last, by id. */
  get customers(): Map<string, PosCustomer> {
    return new Map(this.#changes.map((customer) => [customer.pos_customer_id, customer]));
  }

  async verify() {
    return [];
  }

  async pull<Kind extends RecordKind>(_: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>> {
    const { known: _known, isSetAside: _isSetAside, ...noted } = request;
    this.requests.push(noted);
    await this.beforePage(request);
    const since = Number(request.since ?? 0);
    const [start = since, until = this.#changes.length] = request.position?.split("-").map(Number) ?? [];
    const end = Math.min(start + this.#pageSize, until);
    return {
      records: this.#changes.slice(start, end) as PosRecords[Kind][],
      rejected: [],
      total: until - since,
      next: end < until ? { position: `${end}-${until}` } : { watermark: String(until) },
      complete: request.since === null,
    };
  }
}
