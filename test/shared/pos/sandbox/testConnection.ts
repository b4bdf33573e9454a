import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { Connection, Connector } from "../../../../shared/pos/connector.ts";
import type { PosRecords } from "../../../../shared/pos/posRecords.ts";
import { connectionTo } from "../fakes/pulls.ts";

/** A retail business in Colorado, connected at the beginning of March 2026. */
export const testConnection = connectionTo("Dutchie", {});

/** Reads all pages of a pull, one after the other. Returns the watermark of the last page too. */
export async function pullAll<Kind extends RecordKind>(
  kind: Kind,
  connector: Connector,
  connection: Connection,
  since: string | null,
  now: string,
) {
  const records: PosRecords[Kind][] = [];
  const sizes: number[] = [];
  let position: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof connector.pull<Kind>>> = await connector.pull(connection, {
      kind,
      since,
      position,
      now: new Date(now),
    });
    records.push(...page.records);
    sizes.push(page.records.length);
    if ("watermark" in page.next) {
      return { records, sizes, total: page.total, complete: page.complete, watermark: page.next.watermark };
    }
    position = page.next.position;
  }
}
