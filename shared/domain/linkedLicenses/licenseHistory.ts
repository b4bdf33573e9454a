import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";
import type { Item, Table } from "../../store/client.ts";
import { crbHistoryPartition, licenseHistoryKey, licenseHistoryPrefix } from "../../store/keys/crbHistory.ts";
import type { Holder } from "../../text/compareHolder.ts";

/** A status that a license had from a day on. `unlinked`: it was not linked any more. */
export interface LicenseStatusSince {
  license_id: string;
  number: string | null;
  holder: string | null;
  day: string;
  status: LinkedLicenseStatus | "unlinked";
  expires_at: string | null;
}

/** What the history keeps of a link. */
interface LinkThen {
  names: { crbId: string; licenseId: string };
  /** The license's record as JSON text. */
  body: string;
  holder: Holder;
  expiresAt: string | null;
  /** ISO 8601 UTC */
  linkedDate: string;
  version: number;
}

/** The write that keeps the status of a license from a day on. It is part of the transaction that changes the link. */
export function licenseHistoryWrite(
  table: Table,
  { names, body, linkedDate, version, expiresAt, holder }: LinkThen,
  since: Pick<LicenseStatusSince, "day" | "status">,
): TransactWriteItem {
  const key = licenseHistoryKey(names.crbId, names.licenseId, since.day, linkedDate, version);
  const { license_identifier } = JSON.parse(body) as License;
  const kept: LicenseStatusSince = {
    license_id: names.licenseId,
    number: license_identifier,
    holder: holder.licensee,
    ...since,
    expires_at: expiresAt,
  };
  return table.putWrite({ ...key, ...kept });
}

/** Reads the statuses of all licenses that were ever linked to a CRB, by license, in their order. */
export async function readLicenseHistory(table: Table, crbId: string): Promise<Map<string, LicenseStatusSince[]>> {
  const range = { prefix: licenseHistoryPrefix, consistent: true };
  const items = await table.queryPartition(crbHistoryPartition(crbId), range);
  const statuses = items.map(({ pk: _, sk: __, ...kept }: Item) => kept as unknown as LicenseStatusSince);
  return Map.groupBy(statuses, ({ license_id }) => license_id);
}

/** The status at the end of a day; undefined if the license was not linked. */
export function statusAtEndOf(statuses: readonly LicenseStatusSince[], day: string): LicenseStatusSince | undefined {
  const last = statuses.findLast((each) => each.day <= day);
  return last?.status === "unlinked" ? undefined : last;
}
