import { invalid, notFound } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import { type InventoryQuery, openExpanded } from "../../store/inventory.ts";
import { locationInventoryList, recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { type OpenPage, openPage } from "../../store/orderedList/readPage.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { localDay } from "../../time/localTime.ts";
import { openDailySnapshot } from "./dailySnapshots.ts";
import { inventoryDay } from "./keepDailySnapshots.ts";

/**
 * Opens a page of the inventory of one location: the current inventory, or the inventory at the end of a CRB-local day
 * (docs/spec.md#past-days-of-the-inventory). Embedded products are always the current products.
 *
 * @throws ServiceError "notFound" for an unknown location (docs/spec.md#past-days-of-the-inventory), "invalid" on
 *   `query.date` for a future day
 */
export async function listLocationInventory(
  table: Table,
  crbId: string,
  locationId: string,
  query: InventoryQuery & { date?: string | undefined },
  clock: Clock = systemClock,
): Promise<OpenPage> {
  const opened = query.date
    ? pageOfDay(table, crbId, locationId, query, query.date, clock)
    : currentPage(table, crbId, locationId, query);
  const [location, page] = await Promise.all([
    table.get(recordKey(recordList(crbId, "location"), locationId), { attributes: ["sk"] }),
    query.expand ? openExpanded(table, crbId, opened) : opened,
  ]);
  if (location === undefined) throw notFound("inventory location");
  return page;
}

function currentPage(table: Table, crbId: string, locationId: string, query: InventoryQuery): Promise<OpenPage> {
  const { offset, limit, last_updated_from: from, last_updated_to: to } = query;
  return openPage(table, locationInventoryList(crbId, locationId), { offset, limit, from, to });
}

async function pageOfDay(
  table: Table,
  crbId: string,
  locationId: string,
  query: InventoryQuery,
  date: string,
  clock: Clock,
): Promise<OpenPage> {
  const [crb, since] = await Promise.all([readCrb(table, crbId), inventoryDay(table, crbId)]);
  if (!crb) throw notFound("CRB");
  const today = localDay(clock.now(), crb.record.timezone);
  if (date > today) {
    throw invalid({ "query.date": { message: "must not be in the future" } });
  }
  const closing = () => openDailySnapshot(table, crbId, locationId, date, query);
  // If the CRB's time zone was corrected, the current inventory may have begun on a day that is still in the future in
  // the new time zone.
  if (!since || (date < since && date < today)) return closing();
  const { state, read } = await currentPage(table, crbId, locationId, query);
  const readOfDay = async () => {
    const page = await read();
    // Replication may have begun a new day during the read. The page may then contain records that are newer than the
    // requested day, so the daily snapshot is read instead.
    return (await inventoryDay(table, crbId)) === since ? page : (await closing()).read();
  };
  return { state, read: readOfDay };
}
