import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, Connector, PullPage, RejectedPosRecord } from "../../../../shared/pos/connector.ts";
import { type PosRecords, posIdOf } from "../../../../shared/pos/posRecords.ts";

/** A retail business in Colorado. */
export function connectionTo(
  posType: Connection["posType"],
  credentials: Connection["credentials"],
  more: Partial<Connection> = {},
): Connection {
  return {
    crbId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    posType,
    businessType: "retail",
    state: "CO",
    timezone: "America/Denver",
    locationId: null,
    connectedAt: "2026-03-01T00:00:00.000Z",
    credentials,
    ...more,
  };
}

/** Reads the records of one kind from a connector, pull after pull, and holds them as replication would. */
export class PulledRecords<Kind extends RecordKind> {
  readonly records = new Map<string, PosRecords[Kind]>();
  rejected: RejectedPosRecord[] = [];
  /** rows of other stores that the last pull dropped */
  foreign = 0;
  /** records and pages of the last pull */
  read = 0;
  pages = 0;
  complete = false;
  readAll = false;
  watermark: string | null = null;
  readonly #connector: Connector;
  readonly #connection: Connection;
  readonly #kind: Kind;

  constructor(connector: Connector, connection: Connection, kind: Kind) {
    this.#connector = connector;
    this.#connection = connection;
    this.#kind = kind;
  }

  /** Runs a complete pull. A page that fails is read again, as the next run would do. */
  async pull(now: Date, options: { attempts?: number } = {}): Promise<this> {
    let position: string | null = null;
    let failures = 0;
    this.rejected = [];
    this.foreign = 0;
    this.read = 0;
    this.pages = 0;
    for (;;) {
      try {
        const page: PullPage<Kind> = await this.#connector.pull(this.#connection, {
          kind: this.#kind,
          since: this.watermark,
          position,
          now,
          known: async (ids) => new Set(ids.filter((id) => this.records.has(id))),
        });
        this.take(page);
        if ("watermark" in page.next) {
          this.complete = page.complete;
          this.readAll = page.next.readAll ?? false;
          this.watermark = page.next.watermark;
          return this;
        }
        position = page.next.position;
      } catch (error) {
        failures++;
        if (failures >= (options.attempts ?? 1)) throw error;
      }
    }
  }

  take(page: PullPage<Kind>): void {
    for (const record of page.records) {
      const id = posIdOf(this.#kind, record);
      this.records.set(id, withPoints(record, this.records.get(id)));
    }
    this.rejected.push(...page.rejected);
    this.foreign += page.foreign ?? 0;
    this.read += page.records.length;
    this.pages++;
  }

  get ids(): string[] {
    return [...this.records.keys()].sort();
  }
}

/** Stores a customer: points that the POS does not report stay as they were. */
function withPoints<Stored>(record: Stored, before: Stored | undefined): Stored {
  const points = (one: Stored | undefined) => (one as { loyalty_points?: string | null } | undefined)?.loyalty_points;
  const isUnreported = "loyalty_points" in (record as object) && points(record) === undefined;
  return isUnreported ? { ...record, loyalty_points: points(before) ?? null } : record;
}
