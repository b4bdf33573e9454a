import { searchLicenses } from "../../shared/api/operations/serviceProviders.ts";
import { list } from "../../shared/endpoint/answer.ts";
import { endpoint } from "../../shared/endpoint/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { searchLicenses as search } from "../../shared/table/licenses.ts";

export const handler = endpoint(searchLicenses, async ({ query }) => {
  const { limit, offset, ...terms } = query;
  return list(await search(serviceTable(), terms, { limit, offset }), offset);
});
