import type * as z from "zod";
import type { customerSearchQuery } from "../api/parameters.ts";
import type { Table } from "./client.ts";
import type { IndexedField } from "./keys/indexEntries.ts";
import { recordList } from "./keys/orderedLists.ts";
import { openMatches } from "./orderedList/openMatches.ts";
import type { OpenPage } from "./orderedList/readPage.ts";

/** Search fields of customers (docs/spec.md#customer-search). */
export type CustomerSearchField = Exclude<keyof z.output<typeof customerSearchQuery>, "offset" | "limit">;

/** The fields of the customer record that each search term is compared with (docs/spec.md#customer-search). */
const searchedFields = {
  phone: ["phone", "cell_phone"],
  email: ["email_address"],
  first_name: ["first_name"],
  last_name: ["last_name"],
  pos_customer_id: ["pos_customer_id"],
} as const satisfies Record<CustomerSearchField, readonly string[]>;

/** The POS id in an erased customer's record (docs/spec.md#erased-customers). */
export const erasedPosId = "erased";

/** Fields that an erased customer's record keeps: the CRB, the ids, and the dates that the service sets. */
const keptFields = ["crb_id", "id", "pos_type", "pos_customer_id", "anonymous", "svc_created_date", "svc_updated_date"];

/**
 * Whether a customer record is the anonymous remainder of an erasure. The POS id `erased` alone does not prove an
 * erasure, because a POS may use this id for a customer with data.
 */
export function isErased(customer: Record<string, unknown>): boolean {
  if (customer.pos_customer_id !== erasedPosId || customer.anonymous !== true) return false;
  return Object.entries(customer).every(([name, value]) => value === null || keptFields.includes(name));
}

/** The indexed fields of a customer record (hashed, as stored). An erased customer has no indexed fields. */
export function extractCustomerIndexedFields(customer: Record<string, unknown>): IndexedField[] {
  if (isErased(customer)) return [];
  return Object.entries(searchedFields).flatMap(([field, names]) =>
    names.flatMap((name) => {
      const value = customer[name];
      return typeof value === "string" && value !== "" ? [{ field, value }] : [];
    }),
  );
}

/**
 * Opens a search of a CRB's customers.
 *
 * @param terms normalized values, hashed if the stored field is hashed (docs/spec.md#customer-search,
 *   docs/spec.md#hashed-fields); a customer must match all of them
 */
export function searchCustomers(
  table: Table,
  crbId: string,
  terms: { readonly [Field in CustomerSearchField]?: string | undefined },
  page: { offset: number; limit: number },
): Promise<OpenPage> {
  const wanted = Object.entries(terms).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }]));
  return openMatches(table, recordList(crbId, "customer"), wanted, page, extractCustomerIndexedFields);
}
