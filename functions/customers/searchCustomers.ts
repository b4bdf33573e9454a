import { searchCustomers } from "../../shared/api/operations/customers.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { sensitiveHasher } from "../../shared/platform/crypto/sensitiveHasher.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { searchCustomers as search } from "../../shared/store/customers.ts";

export const handler = endpoint(searchCustomers, async ({ path, query }) => {
  const { phone, email, first_name, last_name, pos_customer_id, ...page } = query;
  const hash = sensitiveHasher(path.crb_id);
  const terms = {
    // A value that is empty once normalized has no hash. The empty text in its place matches no customer.
    ...(phone !== undefined && { phone: hash.phone(phone) ?? "" }),
    ...(email !== undefined && { email: hash.email(email) ?? "" }),
    ...(first_name !== undefined && { first_name: hash.name(first_name) ?? "" }),
    ...(last_name !== undefined && { last_name: hash.name(last_name) ?? "" }),
    ...(pos_customer_id !== undefined && { pos_customer_id }),
  };
  return list(await search(serviceTable(), path.crb_id, terms, page), page.offset);
});
