import { list } from "../../shared/api/answer.ts";
import { endpoint } from "../../shared/api/endpoint.ts";
import { searchLicenses } from "../../shared/api/operations/serviceProviders.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { searchLicenses as search } from "../../shared/table/licenses.ts";

export const handler = endpoint(searchLicenses, async ({ query }) => {
  const { limit, offset, ...terms } = query;
  return list(await search(serviceTable(), terms, { limit, offset }), offset);
});
