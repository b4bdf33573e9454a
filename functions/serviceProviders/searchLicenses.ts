import { searchLicenses } from "../../shared/api/operations/serviceProviders.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { searchLicenses as search } from "../../shared/domain/licenses/searchLicenses.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(searchLicenses, async ({ query }) => {
  const { limit, offset, ...terms } = query;
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  return list(await search(stores, terms, { limit, offset }), offset);
});
