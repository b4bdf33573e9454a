import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import { itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import type { Page } from "../../store/orderedList/readPage.ts";
import { readLinks } from "./readLinks.ts";

/**
 * Reads a page of a service provider's CRBs that have a linked license with a status, the CRB that changed last first.
 * Cost: one query of all links of the service provider, and one read for each matching CRB.
 */
export async function listCrbsByLicense(
  table: Table,
  spId: string,
  status: LinkedLicenseStatus,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page> {
  const links = (await readLinks(table, spId)).filter((link) => link.status === status);
  const crbIds = [...new Set(links.map(({ names }) => names.crbId))];
  const associations = await table.batchGet(
    crbIds.map((crbId) => associationKey(spId, crbId)),
    { attributes: ["rank"] },
  );
  const rankOf = (crbId: string) => associations.get(itemId(associationKey(spId, crbId)))?.rank as string | undefined;
  const sorted = crbIds
    .flatMap((crbId) => {
      const rank = rankOf(crbId);
      return rank === undefined ? [] : [{ crbId, rank }];
    })
    .sort((one, other) => (one.rank < other.rank ? 1 : -1));
  const page = sorted.slice(offset, offset + limit);
  const items = await table.batchGet(page.map(({ crbId }) => crbKey(crbId)));
  const records = page.flatMap(({ crbId }) => {
    const item = items.get(itemId(crbKey(crbId)));
    return item ? [JSON.stringify(toCrb(item).record)] : [];
  });
  return { total: sorted.length, records };
}
