import { listProducts } from "../../shared/api/operations/products.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { openPage } from "../../shared/store/orderedList/readPage.ts";

export const handler = endpoint(listProducts, async ({ path, query }) => {
  const { limit, offset, last_updated_from: from, last_updated_to: to } = query;
  const page = await openPage(serviceTable(), recordList(path.crb_id, "product"), { limit, offset, from, to });
  return list(page, offset);
});
