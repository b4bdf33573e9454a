import { invalid, notFound } from "../api/errors.ts";
import { localDay } from "../replication/localTime.ts";
import type { Table } from "./client.ts";
import { type Clock, systemClock } from "./clock.ts";
import { readCrb } from "./crbs.ts";
import { embedProducts } from "./expand.ts";
import type { InventoryQuery } from "./inventory.ts";
import { locationInventoryList, recordList } from "./keys.ts";
import { type Page, readPage } from "./rankedList/readPage.ts";
import { readRecord } from "./rankedList/readRecord.ts";
import { inventoryDay, readSnapshot } from "./snapshots.ts";

/**
 * Reads a page of the inventory of one location, at present or as it stood at the end of a CRB-local day
 * (contract 4.3). Products are embedded as they are at present.
 *
 * @throws ServiceError "notFound" for an unknown location (contract 6.6), "invalid" on `query.date` for a day to come
 */
export async function listLocationInventory(
  table: Table,
  crbId: string,
  locationId: string,
  query: InventoryQuery & { date?: string | undefined },
  clock: Clock = systemClock,
): Promise<Page> {
  const [location, page] = await Promise.all([
    readRecord(table, recordList(crbId, "location"), locationId),
    query.date
      ? pageOfDay(table, crbId, locationId, query, query.date, clock)
      : currentPage(table, crbId, locationId, query),
  ]);
  if (location === undefined) throw notFound();
  return query.expand ? { ...page, records: await embedProducts(table, crbId, page.records) } : page;
}

function currentPage(table: Table, crbId: string, locationId: string, query: InventoryQuery): Promise<Page> {
  const { offset, limit, last_updated_from: from, last_updated_to: to } = query;
  return readPage(table, locationInventoryList(crbId, locationId), { offset, limit, from, to });
}

async function pageOfDay(
  table: Table,
  crbId: string,
  locationId: string,
  query: InventoryQuery,
  date: string,
  clock: Clock,
): Promise<Page> {
  const [crb, since] = await Promise.all([readCrb(table, crbId), inventoryDay(table, crbId)]);
  if (!crb) throw notFound();
  if (date > localDay(clock.now(), crb.record.timezone)) {
    throw invalid({ "query.date": { message: "must not be in the future" } });
  }
  if (since && date >= since) {
    const page = await currentPage(table, crbId, locationId, query);
    // Replication may have begun a new day while the page was read: then it may hold what is newer than the date.
    if ((await inventoryDay(table, crbId)) === since) return page;
  }
  return readSnapshot(table, crbId, locationId, date, query);
}
