import { list } from "../../shared/api/answer.ts";
import { endpoint } from "../../shared/api/endpoint.ts";
import { listServiceProviderCrbs } from "../../shared/api/operations/serviceProviders.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { listCrbs } from "../../shared/table/crbs.ts";

export const handler = endpoint(listServiceProviderCrbs, async ({ path, query }) => {
  const { total, records } = await listCrbs(serviceTable(), path.sp_id, query);
  return list({ total, records: records.map((crb) => JSON.stringify(crb)) }, query.offset);
});
