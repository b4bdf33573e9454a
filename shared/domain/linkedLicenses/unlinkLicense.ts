import { notFound } from "../../api/errors.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import type { Table } from "../../store/client.ts";
import { linkedLicensePrefix, linkedLicensesPartition, linkedRecordKey } from "../../store/keys/licenses.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import { deletionWrites, type LinkNames, toLink, toLinkedLicense } from "./link.ts";
import { readLink } from "./readLinks.ts";

/**
 * Deletes the link of a license to a CRB.
 *
 * @returns the license as it was linked last
 * @throws ServiceError "notFound" if the license is not linked
 */
export async function unlinkLicense(
  table: Table,
  names: LinkNames,
  clock: Clock = systemClock,
): Promise<LinkedLicense> {
  return retryOnConflict(clock, async () => {
    const linked = await readLink(table, names);
    if (!linked) throw notFound("linked license");
    const present = await readPresent(table);
    await table.transact(deletionWrites(table, linked.link));
    return toLinkedLicense(linked.link, linked.body, present?.days);
  });
}

/** Deletes all links of a CRB whose association has ended. A second call finishes an interrupted one. */
export async function removeLinks(table: Table, spId: string, crbId: string): Promise<number> {
  const items = await table.queryPartition(linkedLicensesPartition(spId), {
    prefix: linkedLicensePrefix(crbId),
    consistent: true,
  });
  const records = items.map((item) => linkedRecordKey(spId, crbId, toLink(spId, item).names.licenseId));
  // Links are deleted after their records, so that a second call still finds them.
  await table.batchDelete(records);
  await table.batchDelete(items);
  return items.length;
}
