import { searchCustomers } from "../../shared/api/operations/customers.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { sensitiveHasher } from "../../shared/platform/crypto/sensitiveHasher.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { type CustomerSearchField, searchCustomers as search } from "../../shared/store/customers.ts";

export const handler = endpoint(searchCustomers, async ({ path, query }) => {
  const { phone, email, first_name, last_name, pos_customer_id, ...page } = query;
  const hash = sensitiveHasher(path.crb_id);
  // A search value that is empty after normalization has no hash. An empty text replaces the hash and matches no
  // customer.
  const terms = {
    phone: phone === undefined ? undefined : (hash.phone(phone) ?? ""),
    email: email === undefined ? undefined : (hash.email(email) ?? ""),
    first_name: first_name === undefined ? undefined : (hash.name(first_name) ?? ""),
    last_name: last_name === undefined ? undefined : (hash.name(last_name) ?? ""),
    pos_customer_id,
    // The compiler reports an error if a search field is missing in this object.
  } satisfies Record<CustomerSearchField, string | undefined>;
  return list(await search(serviceTable(), path.crb_id, terms, page), page.offset);
});
