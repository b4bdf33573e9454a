import { listLocationInventory } from "../../../shared/domain/inventory/listLocationInventory.ts";
import type { Table } from "../../../shared/store/client.ts";
import { locationInventoryList } from "../../../shared/store/keys/orderedLists.ts";
import type { Page } from "../../../shared/store/orderedList/readPage.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import type { EndedDays } from "./endedDays.ts";
import { outboxOf } from "./findInventoryFaults.ts";
import { recordsOf, type Stored } from "./stored.ts";

/** A location at the end of a past day: the records that every walk must return, and its pages. */
export interface PastDay {
  name: string;
  /** the partition of the location's present records */
  pk: string;
  records: string[];
  /** @throws Error for a wrong total */
  page(table: Table, page: { offset: number; limit: number }): Promise<Page>;
}

/**
 * Some past days of a location: in their final state, or in the location's present state while no later day was
 * written. In the second case the outbox may hold changes, so there is nothing to compare.
 *
 * @param days local ones, yyyy-MM-dd, over by every clock
 */
export function pastDaysOf(
  ended: EndedDays,
  stored: Stored,
  crbId: string,
  locationId: string,
  days: readonly string[],
  clock: Clock,
): PastDay[] {
  const isWhole = outboxOf(stored, crbId).length === 0;
  const present = isWhole ? recordsOf(stored, locationInventoryList(crbId, locationId).pk) : undefined;
  return days.flatMap((date) => {
    const records = ended.listOf(locationId, date) ?? present;
    if (!records) return [];
    const name = `inventory of ${locationId} at the end of ${date}`;
    const page: PastDay["page"] = async (table, window) => {
      const opened = await listLocationInventory(table, crbId, locationId, { ...window, date }, clock);
      const found = await opened.read();
      if (found.total === records.length) return found;
      throw new Error(`a total of ${found.total} instead of ${records.length}`);
    };
    return [{ name, pk: locationInventoryList(crbId, locationId).pk, records, page }];
  });
}

/** The faults of a walk through all pages of a past day. */
export async function faultsOfDay({ name, records, page }: PastDay, table: Table, limit: number): Promise<string[]> {
  const found: string[] = [];
  try {
    for (let offset = 0; offset < records.length + limit; offset += limit) {
      found.push(...(await page(table, { offset, limit })).records);
    }
  } catch (error) {
    return [`${name}: ${error}`];
  }
  return String(found) === String(records) ? [] : [`${name}: not as it stood`];
}
