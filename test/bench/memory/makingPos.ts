import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connector } from "../../../shared/pos/connector.ts";
import type { PosRecords } from "../../../shared/pos/posRecords.ts";
import type { RecordMaker } from "../data/records.ts";

const pageSize = 250;

/** A POS in this process that makes each page when the worker requests it. */
export function makingPos<Made extends RecordKind>(total: number, make: RecordMaker<Made>): Connector {
  return {
    verify: async () => [],
    async pull<Kind extends RecordKind>(_: unknown, { position }: { position: string | null }) {
      const start = Number(position ?? 0);
      const end = Math.min(total, start + pageSize);
      const records = Array.from({ length: end - start }, (_, i) => make(start + i, 0));
      return {
        records: records as unknown as PosRecords[Kind][],
        rejected: [],
        total,
        next: end < total ? { position: String(end) } : { watermark: "end" },
        complete: true,
      };
    },
  };
}
