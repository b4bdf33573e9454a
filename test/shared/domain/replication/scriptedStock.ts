import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, Connector, PullPage, PullRequest } from "../../../../shared/pos/connector.ts";
import type { PosInventory, PosRecords } from "../../../../shared/pos/posRecords.ts";

const locations = new Map([
  ["101", { name: "Sales Floor", pos_location_type: "Sales Floor" }],
  ["102", { name: "Vault", pos_location_type: null }],
]);

/** A package with a quantity at each of its locations. */
export function stockOf(id: string, quantities: Record<string, number>): PosInventory {
  return {
    pos_inventory_id: id,
    pos_product_id: null,
    name: `Package ${id}`,
    sku: null,
    barcode: null,
    total_quantity: Object.values(quantities).reduce((sum, quantity) => sum + quantity, 0),
    pos_updated_date: "2026-03-01T00:00:00.000Z",
    location_data: Object.entries(quantities).map(([id, quantity]) => ({
      pos_location_id: id,
      name: null,
      pos_location_type: null,
      ...locations.get(id),
      quantity,
    })),
  };
}

/** A POS whose stock is under a test's control. Each pull reads everything, in pages of the given size. */
export class ScriptedStock implements Connector {
  readonly positions: (string | null)[] = [];
  readonly stock = new Map<string, PosInventory>();
  beforePage: (request: PullRequest<RecordKind>) => Promise<void> | void = () => undefined;
  /** ids whose records the connector rejects */
  readonly unreadable = new Set<string>();
  pageSize: number;
  readonly #firstPageSize: number;

  constructor(pageSize: number) {
    this.pageSize = pageSize;
    this.#firstPageSize = pageSize;
  }

  /** Makes this a new POS without stock. */
  reset(): void {
    this.positions.length = 0;
    this.stock.clear();
    this.unreadable.clear();
    this.beforePage = () => undefined;
    this.pageSize = this.#firstPageSize;
  }

  put(...records: PosInventory[]): void {
    for (const record of records) this.stock.set(record.pos_inventory_id, record);
  }

  async verify() {
    return [];
  }

  async pull<Kind extends RecordKind>(_: Connection, request: PullRequest<Kind>): Promise<PullPage<Kind>> {
    this.positions.push(request.position);
    await this.beforePage(request);
    const all = [...this.stock.values()];
    const start = Number(request.position ?? 0);
    const end = start + this.pageSize;
    const page = all.slice(start, end);
    const unreadable = page.filter(({ pos_inventory_id: id }) => this.unreadable.has(id));
    return {
      records: page.filter((record) => !unreadable.includes(record)) as PosRecords[Kind][],
      rejected: unreadable.map(({ pos_inventory_id: posId }) => ({ posId, field: "name", reason: "missing" })),
      total: all.length,
      next: end < all.length ? { position: String(end) } : { watermark: request.now.toISOString() },
      complete: true,
    };
  }
}
