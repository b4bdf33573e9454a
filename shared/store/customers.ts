import type * as z from "zod";
import type { customerSearchQuery } from "../api/parameters.ts";
import type { Table } from "./client.ts";
import { serviceDates } from "./contentHash.ts";
import { readCrb } from "./crbs.ts";
import type { IndexedField, IndexedFieldOf } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { openSearch } from "./orderedList/openSearch.ts";
import type { OpenPage } from "./orderedList/readPage.ts";
import { recordId } from "./recordId.ts";

export type CustomerSearchField = Exclude<keyof z.output<typeof customerSearchQuery>, "offset" | "limit">;

/**
 * The fields that each search term is compared with (docs/spec.md#customer-search). The id in the POS needs no entry: the
 * record id follows from it.
 */
const searchedFields = {
  phone: ["phone", "cell_phone"],
  email: ["email_address"],
  first_name: ["first_name"],
  last_name: ["last_name"],
} as const satisfies Record<Exclude<CustomerSearchField, "pos_customer_id">, readonly string[]>;

/** The POS id in an erased customer's record (docs/spec.md#erased-customers). */
export const erasedPosId = "erased";

/** The field that names the customer into whom the POS merged another one. Its index entries find merged customers. */
export const mergedIntoField = "merged_into_customer_id";

/** Fields that an erased customer's record keeps: the CRB, the ids, the merge, and the dates that the service sets. */
const keptFields = ["crb_id", "id", "pos_type", "pos_customer_id", mergedIntoField, "anonymous", ...serviceDates];

/** Whether a record is the anonymous remainder of an erasure. A POS may use the id `erased` for another customer. */
export function isErased(customer: Record<string, unknown>): boolean {
  if (customer.pos_customer_id !== erasedPosId || customer.anonymous !== true) return false;
  return Object.entries(customer).every(([name, value]) => value === null || keptFields.includes(name));
}

/**
 * The indexed fields of a customer record (hashed, as stored). No search finds an erased customer, and none by name or
 * contact a merged one: it would return one person twice.
 */
export function extractCustomerIndexedFields(customer: Record<string, unknown>): IndexedFieldOf<"customer">[] {
  const { [mergedIntoField]: mergedInto } = customer;
  if (typeof mergedInto === "string") return [{ field: mergedIntoField, value: mergedInto }];
  if (isErased(customer)) return [];
  const fields = Object.keys(searchedFields) as (keyof typeof searchedFields)[];
  return fields.flatMap((field) =>
    searchedFields[field].flatMap((name) => {
      const value = customer[name];
      return typeof value === "string" && value !== "" ? [{ field, value }] : [];
    }),
  );
}

/**
 * Opens a search of a CRB's customers.
 *
 * @param terms normalized values, hashed if the stored field is hashed (docs/spec.md#hashed-fields); all must match
 */
export async function searchCustomers(
  table: Table,
  crbId: string,
  terms: { readonly [Field in CustomerSearchField]?: string | undefined },
  page: { offset: number; limit: number },
): Promise<OpenPage> {
  const wanted = Object.entries(terms).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }]));
  const { pos_customer_id: posId } = terms;
  const candidates = posId === undefined ? undefined : await findCustomerIds(table, crbId, posId, page.offset > 0);
  const list = recordList(crbId, "customer");
  return openSearch(table, list, { terms: wanted, candidates, ...page }, extractSearchedFields);
}

/** The ids of the customers who may have a POS id: one for each POS to which the CRB was ever connected. */
async function findCustomerIds(table: Table, crbId: string, posId: string, consistent: boolean): Promise<string[]> {
  const crb = await readCrb(table, crbId, { consistent });
  // The configuration of an earlier connection stays, and so do its customers.
  const configured = crb?.record.pos_configs.map(({ name }) => name) ?? [];
  const posTypes = new Set([...configured, ...(crb?.connection ? [crb.connection.posType] : [])]);
  return [...posTypes].map((posType) => recordId(crbId, "customer", posType, posId));
}

/** All fields by which a customer is found: the indexed fields, and the id in the POS. */
function extractSearchedFields(customer: Record<string, unknown>): IndexedField[] {
  const { pos_customer_id: value } = customer;
  const isSearchable = typeof value === "string" && !isErased(customer);
  return [
    ...extractCustomerIndexedFields(customer),
    ...(isSearchable ? [{ field: "pos_customer_id" as const, value }] : []),
  ];
}
