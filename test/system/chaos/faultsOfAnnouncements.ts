import { recordKinds } from "../../../shared/api/kinds.ts";
import { type Item, itemId } from "../../../shared/store/client.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { announcedKey } from "../../../shared/store/keys/replication.ts";

/** Kinds of records whose last change has no event, though no run is in progress. */
export function faultsOfAnnouncements(items: readonly Item[], crbId: string): string[] {
  const byId = new Map(items.map((item) => [itemId(item), item]));
  return recordKinds.flatMap((kind) => {
    const { pk } = recordList(crbId, kind);
    const ranks = items.filter((item) => item.pk === pk).map(({ rank }) => String(rank));
    const newest = ranks.sort().at(-1);
    const announced = byId.get(itemId(announcedKey(crbId, kind)))?.head;
    return announced === newest ? [] : [`${kind}: announced up to ${announced}, changed up to ${newest}`];
  });
}
