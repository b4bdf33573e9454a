import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Item } from "../../../shared/store/client.ts";
import { extractCustomerIndexedFields } from "../../../shared/store/customers.ts";
import { indexingOptions } from "../../../shared/store/indexingOptions.ts";
import { hasAll } from "../../../shared/store/orderedList/indexEntries.ts";
import { openSearch, type Search } from "../../../shared/store/orderedList/openSearch.ts";
import { faultsOfEntries, scan } from "../../tableState.ts";
import { createTestTable } from "../../testTable.ts";
import { isThorough } from "../../thorough.ts";
import { newList, recordToWrite } from "./orderedList/listUnderTest.ts";

const people = 8;
const hour = 3_600_000;
/** Few values, so that customers share them and numbers move between both fields. */
const value = fc.constantFrom(null, "a", "b", "c");
const customer = fc.record({
  name: fc.nat({ max: people - 1 }),
  first_name: value,
  last_name: value,
  phone: value,
  cell_phone: value,
  email_address: value,
});
const batch = fc.record({
  pauseHours: fc.constantFrom(0, 1, 30),
  customers: fc.array(customer, { maxLength: people }),
});
const field = fc.constantFrom("first_name", "last_name", "phone", "email");
const search = fc.record({
  terms: fc.array(fc.record({ field, value: fc.constantFrom("a", "b", "c") }), { minLength: 1, maxLength: 2 }),
  limit: fc.integer({ min: 1, max: people }),
  maxVerified: fc.integer({ min: 0, max: people }),
});

/** The ids of the customers that a search must return, in its order. */
function expectedIds(customers: readonly Item[], { terms, limit }: Pick<Search, "terms" | "limit">): string[] {
  const matches = customers.filter(({ body }) =>
    hasAll(extractCustomerIndexedFields(JSON.parse(body as string)), terms),
  );
  const order = matches.length > limit ? "sk" : "rank";
  const sorted = matches.toSorted((a, b) => ((a[order] as string) < (b[order] as string) ? -1 : 1));
  const ids = sorted.map(({ sk }) => sk);
  return order === "rank" ? ids.reverse() : ids;
}

test("after any changes, a search returns the customers with its values, page by page, and each value has its entry", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 6 }),
      fc.array(search, { minLength: 3 }),
      async (batches, searches) => {
        const table = await createTestTable();
        const crbId = randomUUID();
        const given = { crbId, segmentSize: 4_096, start: "2026-12-30T10:00:00.000Z", ...indexingOptions.customer };
        const { list, clock, ...under } = await newList(table, given);
        const writer = under.writer();
        for (const { pauseHours, customers } of batches) {
          await writer.write(customers.map(({ name, ...values }) => recordToWrite(name, 0, values)));
          clock.advance(pauseHours * hour);
        }
        const items = await scan(table);
        const stored = items.filter(({ pk }) => pk === list.pk);
        expect(faultsOfEntries(items, crbId)).toEqual([]);
        for (const search of searches) {
          const expected = expectedIds(stored, search);
          const ids: string[] = [];
          const readFrom = async (offset: number, limit: number) => {
            const page = { ...search, offset, limit };
            const { total, records } = await (await openSearch(table, list, page, extractCustomerIndexedFields)).read();
            expect(total).toBe(expected.length);
            return records.map((record): string => JSON.parse(record).id);
          };
          for (let offset = 0; offset <= expected.length; offset += search.limit) {
            const page = await readFrom(offset, search.limit);
            expect(page).toHaveLength(Math.min(search.limit, expected.length - offset));
            ids.push(...page);
          }
          expect(ids).toEqual(expected);
          expect(await readFrom(search.limit, 1_000), "the rest as one page").toEqual(expected.slice(search.limit));
        }
      },
    ),
    { numRuns: isThorough ? 20 : 6 },
  );
}, 240_000);
